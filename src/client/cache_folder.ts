import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../base/runtime/state_home.ts";

/**
 * The library's folder in the user's cache directory.
 *
 * That is `XDG_CACHE_HOME` if it is an absolute path, as the XDG base directory specification requires; else `~/.cache`.
 */
export function cacheFolder(environment: Environment): string {
  const { XDG_CACHE_HOME: cacheHome = "" } = environment;
  const base = isAbsolute(cacheHome) ? cacheHome : join(homedir(), ".cache");
  return join(base, "scoreframe");
}

/** Folder name of a service: scheme, host, port and path in characters that every file system accepts. */
export function folderNameOf(origin: string): string {
  const { host, pathname, protocol } = new URL(origin);
  const path = pathname === "/" ? "" : pathname;
  return `${protocol.slice(0, -1)}-${host}${path}`.replace(/[^A-Za-z0-9.-]+/g, "_");
}
