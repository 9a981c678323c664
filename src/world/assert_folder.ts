import { describe } from "../contract/violation.ts";

/** Refuses what is no path: in a notebook a forgotten argument comes this far. */
export function assertFolder(action: string, folder: unknown): asserts folder is string {
  if (typeof folder === "string" && folder !== "") return;
  throw new TypeError(
    `Cannot ${action}: the path of a folder is required, got ${describe(folder)}`,
  );
}
