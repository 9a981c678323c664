import { describe } from "../base/contract/violation.ts";
import type { Environment } from "../base/runtime/state_home.ts";

const YES: readonly string[] = ["1", "true", "yes", "on"];
const NO: readonly string[] = ["", "0", "false", "no", "off"];

/**
 * Reads an environment variable as a switch, which is off if it is not set.
 *
 * @throws {TypeError} If its value is neither; a misread safety switch would be off silently
 */
export function readSwitch(name: string, environment: Environment): boolean {
  const given = environment[name] ?? "";
  const value = given.trim().toLowerCase();
  if (YES.includes(value)) return true;
  if (NO.includes(value)) return false;
  throw new TypeError(
    `Cannot connect: expected ${name} to be 1, true, yes or on, or 0, false, no or off, got ` +
      `${describe(given)}; set one of these values, or unset it`,
  );
}
