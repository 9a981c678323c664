import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../../../client/cache_folder.ts";
import { assertLocal } from "../assert_local.ts";

/**
 * Folder of a relay's users and their spending: the given one, that of the environment, or systemd's; else one in the user's
 * state folder (XDG base directory specification).
 */
export function stateFolder(given: string | undefined, environment: Environment): string {
  const { SCOREFRAME_RELAY_STATE, STATE_DIRECTORY, XDG_STATE_HOME = "" } = environment;
  const named = [given, SCOREFRAME_RELAY_STATE, STATE_DIRECTORY].find((folder) => folder);
  assertLocal("use a state folder", named);
  if (named !== undefined) return named;
  const base = isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), ".local", "state");
  return join(base, "scoreframe-relay");
}
