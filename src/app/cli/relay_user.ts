import process from "node:process";
import { join } from "node:path";
import { instantOf } from "../../base/contract/instant.ts";
import { keyEnvironmentOf } from "../../base/contract/key.ts";
import { type Factor, FACTORS, isFactor } from "../../base/contract/factor.ts";
import { describe } from "../../base/contract/violation.ts";
import { type RelayUser, UserFile } from "../../desk/relay/user/user_file.ts";
import {
  assertLocal,
  flags,
  namesOf,
  parseArguments,
  texts,
  UsageError,
  type ValuesOf,
} from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";
import { type Environment, stateHome } from "../../base/runtime/state_home.ts";

const OPTIONS = { ...texts("state", "requests", "downloads", "factors"), ...flags("admin") };

/** Runs `relay user`: adds, lists and revokes the users of a relay; a running relay applies it from the next request on. */
export async function runUser(args: string[], terminal: Terminal): Promise<number> {
  const rules = { options: OPTIONS, allowPositionals: true };
  const { values, positionals } = parseArguments(args, rules);
  try {
    return await changeUsers(values, positionals, terminal);
  } catch (error) {
    // A name that is taken, unknown or invalid is an error of the command line.
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function changeUsers(
  values: ValuesOf<typeof OPTIONS>,
  positionals: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [verb = "", name, ...more] = positionals;
  const users = new UserFile(stateFolder(values.state, process.env));
  const now = instantOf(Date.now());
  if (verb === "list" && name === undefined) {
    for (const user of await users.list()) terminal.out(lineOf(user));
    return 0;
  }
  if (name === undefined || more.length > 0 || (verb !== "add" && verb !== "revoke")) {
    throw new UsageError(
      "Cannot run relay user: expected add NAME, revoke NAME or list, got " +
        describe(positionals.join(" ")),
    );
  }
  if (verb === "revoke") {
    await users.revoke(name, now);
    terminal.out(`${name}'s key is no longer valid`);
    return 0;
  }
  const user = {
    ...{ name, admin: values.admin === true },
    requests: numberOf("requests", values.requests),
    downloads: numberOf("downloads", values.downloads),
    factors: factorsOf(values.factors),
  };
  const environment = keyEnvironmentOf(process.env["SCOREFRAME_API_KEY"] ?? "") ?? "production";
  const key = await users.add(user, { environment, now });
  terminal.out(key);
  terminal.error(
    `the key of ${name}, shown only now; set it as SCOREFRAME_API_KEY on ${name}'s machine`,
  );
  return 0;
}

function numberOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(
    `Cannot add a user: expected --${option} to be a whole number, got ${describe(text)}`,
  );
}

function factorsOf(text: string | undefined): readonly Factor[] | null {
  const names = namesOf(text);
  if (text === undefined || (names.length > 0 && names.every(isFactor))) {
    return text === undefined ? null : names as readonly Factor[];
  }
  throw new UsageError(
    `Cannot add a user: expected --factors to be of ${FACTORS.join(",")}, got ${describe(text)}`,
  );
}

function lineOf(
  { name, addedAt, revokedAt, requests, downloads, admin, factors }: RelayUser,
): string {
  const limits = [
    ...requests === null ? [] : [`${requests} requests a day`],
    ...downloads === null ? [] : [`${downloads} downloads a day`],
    ...factors === null ? [] : [factors.join(",")],
    ...admin ? ["admin"] : [],
  ];
  const state = revokedAt === null ? `since ${addedAt}` : `revoked ${revokedAt}`;
  return [name, state, ...limits].join("  ");
}

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
