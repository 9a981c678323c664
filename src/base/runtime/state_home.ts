import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's state folder: `XDG_STATE_HOME` if it is an absolute path (XDG base directory specification), else `~/.local/state`. */
export function stateHome({ XDG_STATE_HOME = "" }: Environment): string {
  return isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), ".local", "state");
}
