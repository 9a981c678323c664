import { refuseAddress } from "../../base/arguments/refuse_address.ts";
import { UsageError } from "./usage_error.ts";

/**
 * Refuses an address as the folder of a command.
 *
 * @param action The action, worded to follow "Cannot"
 * @throws {UsageError} If the folder begins with a scheme
 */
export function assertLocal(action: string, folder: string | undefined): void {
  try {
    refuseAddress(action, folder);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
