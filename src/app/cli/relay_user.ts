import process from "node:process";
import { join } from "node:path";
import { instantOf } from "../../base/contract/instant.ts";
import { keyEnvironmentOf } from "../../base/contract/key.ts";
import { FACTORS, isFactor } from "../../base/contract/factor.ts";
import { describe } from "../../base/contract/violation.ts";
import { type RelayUser, UserFile } from "../../desk/relay/user/user_file.ts";
import {
  command,
  flag,
  folder,
  localPath,
  names,
  number,
  UsageError,
  type Values,
} from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { type Environment, stateHome } from "../../base/runtime/state_home.ts";

/** Usage of `relay user`. */
export const USER_USAGE = [
  "relay user add NAME [--requests N] [--downloads N] [--factors ecpnd] [--admin]",
  "relay user list",
  "relay user revoke NAME",
];
/** The option of the folder of users and their spending. */
export const STATE = folder(
  "users and their spending (default: SCOREFRAME_RELAY_STATE, or scoreframe-relay in the user's state folder)",
);
const MOST = 999_999_999;
const FACTOR_NAMES = names("factors that the user may load (default: those of the account)");
const OPTIONS = {
  state: STATE,
  requests: number("requests to the service a day (default: the account's)", { to: MOST }),
  downloads: number("downloads a day (default: the account's)", { to: MOST }),
  factors: {
    ...FACTOR_NAMES,
    required: `some of ${FACTORS.join(",")}`,
    read: (given: string) => {
      const factors = FACTOR_NAMES.read(given) ?? [];
      return factors.length > 0 && factors.every(isFactor) ? factors : undefined;
    },
  },
  admin: flag("may read the page of the relay"),
};

/** `relay user`: adds, lists and revokes the users of a relay; a running relay applies it from the next request on. */
export const runUser = command({
  usage: USER_USAGE,
  about: "Creates the key of a user and shows it once, lists the users, or revokes a key at once.",
  options: OPTIONS,
  words: [1, Infinity],
  async run({ values, words, terminal }) {
    try {
      return await changeUsers(values, words, terminal);
    } catch (error) {
      // A name that is taken, unknown or invalid is an error of the command line.
      throw error instanceof TypeError ? new UsageError(error.message) : error;
    }
  },
});

async function changeUsers(
  values: Values<typeof OPTIONS>,
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
    name,
    admin: values.admin === true,
    requests: values.requests ?? null,
    downloads: values.downloads ?? null,
    factors: values.factors ?? null,
  };
  const environment = keyEnvironmentOf(process.env["SCOREFRAME_API_KEY"] ?? "") ?? "production";
  const key = await users.add(user, { environment, now });
  terminal.out(key);
  terminal.error(
    `the key of ${name}, shown only now; set it as SCOREFRAME_API_KEY on ${name}'s machine`,
  );
  return 0;
}

function lineOf(user: RelayUser): string {
  const { name, addedAt, revokedAt, requests, downloads, factors, admin } = user;
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
  if (named !== undefined) return localPath("use a state folder", named);
  return join(stateHome(environment), "scoreframe-relay");
}
