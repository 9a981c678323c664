import { readFileSync } from "node:fs";

// The smallest limit of open files that a system has by default, that of macOS.
const USUAL_OPEN_FILES = 256;
const MOST_CONNECTIONS = 1_000;
const FEWEST_CONNECTIONS = 8;

/**
 * Largest number of connections of a server: a quarter of the files that its process may have open. As many again may arrive
 * in one moment before they are closed, and the store needs files too; five connections are what an account may use.
 */
export function connectionLimit(openFiles: number = softLimit()): number {
  return Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, Math.floor(openFiles / 4)));
}

// Linux tells the limit of a process, other systems only to a shell.
function softLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, found = ""] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
    return found === "unlimited" ? Infinity : Number(found) || USUAL_OPEN_FILES;
  } catch {
    return USUAL_OPEN_FILES;
  }
}
