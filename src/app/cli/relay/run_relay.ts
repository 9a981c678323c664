import { commandLine } from "../../../base/runtime/command_line.ts";
import type { Terminal } from "../terminal.ts";
import { runGaps } from "./gaps.ts";
import { runRelayServer } from "./relay_server.ts";
import { runUser } from "./user.ts";

const HELP = `usage: ${commandLine()} relay --store DIR [options]
       ${commandLine()} relay user add NAME [--requests N] [--downloads N] [--admin]
       ${commandLine()} relay user list
       ${commandLine()} relay user revoke NAME
       ${commandLine()} relay gaps --store DIR [--fill]

Serves the whole API to the colleagues of a desk from one account, and forwards only requests that its store cannot answer.
Set the account's key and the service's address in SCOREFRAME_API_KEY and SCOREFRAME_URL; they stay on this machine.
docs/relay.md says how to run it.

  --store DIR         the store: every set, check and release that was received
  --listen HOST:PORT  where to listen (default: 127.0.0.1:8090); port 0 takes a free one
  --state DIR         users and their spending (default: SCOREFRAME_RELAY_STATE, or scoreframe-relay in the user's state folder)
  --latest-age 1m     longest age of an answer about the latest check (90s, 1m, 1h)
  --lease 1h          how long a factor is served after the service has confirmed its licence
  --follow            request each check when it is due, so that the store has every publication
  --key-file FILE     the account's key, instead of SCOREFRAME_API_KEY; read again after a refusal and at SIGHUP
  --account NAME      name of the account, if it has several keys on this machine
  --journal FILE      append each request as a line of JSON; opened again at SIGHUP

  user add            creates a key, and shows it once
  user revoke         revokes a key at once
  gaps                lists the hours without a check in the store; --fill requests them, one request each`;

/** Runs `relay`: the relay itself, or one of its commands. */
export async function runRelay(args: string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (args.some((word) => word === "--help" || word === "-h")) {
    terminal.out(HELP);
    return 0;
  }
  if (name === "user") return await runUser(rest, terminal);
  if (name === "gaps") return await runGaps(rest, terminal);
  return await runRelayServer(args, terminal);
}
