import { describe } from "../../../base/contract/violation.ts";
import type { ForwardReturns } from "./forward_returns.ts";

/**
 * Refuses anything but a result of `forwardReturns()`.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param call A call that returns it
 */
export function assertReturns(
  action: string,
  returns: unknown,
  call: string,
): asserts returns is ForwardReturns {
  const given = returns as Partial<ForwardReturns> | null | undefined;
  if (given?.windows instanceof Map && given.grid !== undefined) return;
  throw new TypeError(
    `Cannot ${action}: expected the result of forwardReturns(), got ${describe(returns)}; call ` +
      `${call}`,
  );
}
