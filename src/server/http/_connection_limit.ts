import { readFileSync } from "node:fs";

// Smallest default limit of open files, that of macOS.
const USUAL_OPEN_FILES = 256;
const MOST_CONNECTIONS = 1_000;
const FEWEST_CONNECTIONS = 8;

/**
 * Largest number of connections of a server: a quarter of its process's limit of open files. As many again may arrive before
 * they are closed, and the store needs files, too; an account may use five connections.
 */
export function connectionLimit(openFiles: number = softLimit()): number {
  return Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, Math.floor(openFiles / 4)));
}

// Linux exposes the limit of a process, other systems only in a shell.
function softLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, found = ""] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
    return found === "unlimited" ? Infinity : Number(found) || USUAL_OPEN_FILES;
  } catch {
    return USUAL_OPEN_FILES;
  }
}
