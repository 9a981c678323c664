import { describe } from "../../base/contract/violation.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";

/** Refuses a value that is not a path, because no compiler checks the arguments in a notebook cell. */
export function assertFolder(action: string, folder: unknown): asserts folder is string {
  refuseAddress(action, folder);
  if (typeof folder === "string" && folder !== "") return;
  throw new TypeError(
    `Cannot ${action}: expected the path of a folder, got ${describe(folder)}`,
  );
}
