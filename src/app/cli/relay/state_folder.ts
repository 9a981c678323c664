import { join } from "node:path";
import { type Environment, stateHome } from "../../../base/runtime/state_home.ts";
import { assertLocal } from "../assert_local.ts";

/**
 * Folder of a relay's users and their spending: the given one, that of the environment, or systemd's; else one in the user's
 * state folder (XDG base directory specification).
 */
export function stateFolder(given: string | undefined, environment: Environment): string {
  const { SCOREFRAME_RELAY_STATE, STATE_DIRECTORY } = environment;
  const named = [given, SCOREFRAME_RELAY_STATE, STATE_DIRECTORY].find((folder) => folder);
  assertLocal("use a state folder", named);
  if (named !== undefined) return named;
  return join(stateHome(environment), "scoreframe-relay");
}
