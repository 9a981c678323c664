import { existsSync } from "node:fs";
import process from "node:process";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where Chromium is; `null` if there is none. */
export function findBrowser(): string | null {
  const named = process.env["SCOREFRAME_CHROMIUM"];
  return [...(named === undefined ? [] : [named]), ...PATHS].find((path) => existsSync(path)) ??
    null;
}
