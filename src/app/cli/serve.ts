import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { epochMsOf, type Instant, parseInstant } from "../../base/contract/instant.ts";
import { maskKeys } from "../../base/contract/key.ts";
import { readTextFile } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import type { AccountSpec } from "../../server/account/accounts.ts";
import { parseAccounts, parseScenario, type Scenario } from "../../server/config_files.ts";
import { createScoreServer, type ScoreServer } from "../../server/score_server.ts";
import { JournalFile } from "./journal_file.ts";
import { type Terminal, untilStopped } from "./terminal.ts";
import { findNotices, findUnplayable, openServeSource, type ServeSource } from "./serve_source.ts";
import { choice, command, folder, names, number, text, type Values, wrong } from "./command.ts";

const KEY_FILE = "key.txt";

const OPTIONS = {
  store: text("DIR", "serve a store: a recording, or a world built earlier"),
  study: text("DIR", "serve what a study shows at its time; its hold-out stays closed"),
  world: choice(["small", "full"], "serve a synthetic world (default: small)"),
  port: number("port; 0 takes a free one (default: 0)", { to: 65_535 }),
  host: names("names under which it may be asked beside localhost, such as that of a proxy"),
  accounts: text("FILE", "accounts as JSON (default: one account, whose key is printed)"),
  key: text(
    "KEY",
    "key of that account, such as svc_test_desk (default: a new one; with --state the same again)",
  ),
  state: folder("keep spent allowances here across restarts (default: in memory)"),
  clock: {
    ...text("INSTANT|now", "server time (default: now); a clock set to an instant stands still"),
    required: '"now" or an RFC 3339 date-time such as 2026-11-20T15:00:00Z',
    read: readClock,
  },
  "clock-rate": number("server seconds per real second (default: 1 for now, 0 for an instant)", {
    to: 1e6,
    isWhole: false,
  }),
  faults: text("FILE", "faults and timeline as JSON"),
  journal: text("FILE", "write every request as a line of JSON, and a summary at the end"),
};

/** Options of `serve`; one that is `null` was not given. */
type ServeOptions = ReturnType<typeof serveOptions>;

/** `serve`: the embedded server over a store or a synthetic world, until SIGTERM or SIGINT. */
export const runServe = command({
  usage: ["serve [options]"],
  about: "Serves the whole Research Factor Score API on 127.0.0.1 until it is stopped.",
  options: OPTIONS,
  async run({ values, terminal }) {
    const options = serveOptions(values);
    try {
      await serve(options, terminal);
      return 0;
    } catch (error) {
      terminal.error(maskKeys(error instanceof Error ? error.message : String(error)));
      return 1;
    }
  },
});

async function serve(given: ServeOptions, terminal: Terminal): Promise<void> {
  const accounts = await readAccounts(given);
  const scenario = await readScenario(given);
  const source = await openServeSource(given, terminal);
  const options = withTime(given, source);
  const journal = options.journal === null
    ? null
    : new JournalFile(options.journal, { goesOn: false, onTrouble: terminal.error });
  const stopped = untilStopped(() => journal?.reopen());
  try {
    const unplayable = await findUnplayable(source.store, scenario.timeline);
    const server = makeServer({ options, accounts, scenario, source, journal });
    const notices = await findNotices({
      store: source.store,
      goesOn: source.checks !== null,
      nowMs: options.clock === null ? server.clock.nowMs() : epochMsOf(options.clock),
      rate: options.clockRate,
    });
    // Completes the checks up to now, so that the first request is as fast as the others.
    await server.completeChecks();
    const { port, hosts } = options;
    const listener = await server.listen({ port, hosts, onTrouble: terminal.error });
    startClock(server, options);
    // Keys from an accounts file are not printed.
    const key = options.accounts === null ? accounts[0]?.keys[0]?.key ?? null : null;
    if (key !== null) terminal.out(`key ${key}`);
    if (hasProductionKey(accounts)) {
      terminal.error("svc_live_ keys are refused: this server is a sandbox");
    }
    for (const warning of [...source.notices, ...unplayable, ...notices]) terminal.error(warning);
    terminal.out(`listening on ${listener.url}`);
    terminal.out(howToAsk(listener.url, key));
    await stopped;
    await server.close();
    if (journal !== null) terminal.out(server.journal.summary());
  } finally {
    journal?.close();
    await source.dispose();
  }
}

// The clock of a study stands still at its time unless another one is given.
function withTime(options: ServeOptions, { time }: ServeSource): ServeOptions {
  return options.clock !== null || time === null
    ? options
    : { ...options, clock: time, clockRate: 0 };
}

/** Lines to paste into a shell; a variable stands for a key that must not be shown. */
function howToAsk(url: string, key: string | null): string {
  const token = key === null ? '"Authorization: Bearer $KEY"' : `'Authorization: Bearer ${key}'`;
  return [
    "",
    "Send a request:",
    `  curl -H ${token} '${url}/v1/scores?factor=ecpnd'`,
    "Use it from a notebook or a script:",
    `  export SCOREFRAME_URL=${url} SCOREFRAME_API_KEY=${key ?? '"$KEY"'}`,
    ...(key === null ? ["set KEY to a key of the accounts file"] : []),
  ].join("\n");
}

function makeServer(parts: {
  readonly options: ServeOptions;
  readonly accounts: readonly AccountSpec[];
  readonly scenario: Scenario;
  readonly source: ServeSource;
  readonly journal: JournalFile | null;
}): ScoreServer {
  const { options, accounts, scenario, source, journal } = parts;
  return createScoreServer({
    store: source.store,
    accounts,
    faults: scenario.faults,
    timeline: scenario.timeline,
    ...(scenario.seed === undefined ? {} : { seed: scenario.seed }),
    ...(source.checks === null ? {} : { checks: source.checks }),
    ...(options.state === null ? {} : { state: options.state }),
    ...(options.clock === null ? {} : { clock: { at: options.clock, rate: options.clockRate } }),
    ...(journal === null ? {} : { journal: { onEntry: journal.write } }),
  });
}

// Started once the server listens, so that start-up takes nothing from the requested time.
function startClock(server: ScoreServer, { clock, clockRate }: ServeOptions): void {
  if (clock === null) server.clock.run(clockRate);
  else server.clock.set(clock, { rate: clockRate });
}

async function readAccounts(options: ServeOptions): Promise<readonly AccountSpec[]> {
  if (options.accounts !== null) {
    const text = await readText("--accounts", options.accounts);
    return parseAccounts(text, { file: options.accounts });
  }
  const key = options.key ?? await keyOf(options.state);
  return [{ id: "default", factors: ["ecpnd", "ecqdi"], keys: [{ key }] }];
}

// Clients of a service go on after its restart.
async function keyOf(state: string | null): Promise<string> {
  const key = `svc_test_${randomBytes(16).toString("hex")}`;
  if (state === null) return key;
  const path = join(state, KEY_FILE);
  return await onDisk(`use the state "${state}"`, async () => {
    const known = (await readTextFile(path))?.trim();
    if (known !== undefined && known !== "") return known;
    await mkdir(state, { recursive: true });
    await writeFile(path, `${key}\n`, { mode: 0o600 });
    return key;
  });
}

async function readScenario({ faults: file }: ServeOptions): Promise<Scenario> {
  if (file === null) return { faults: [], timeline: [] };
  return parseScenario(await readText("--faults", file), { file });
}

function readText(option: string, path: string): Promise<string> {
  return onDisk(`read ${option} ${path}`, () => readFile(path, "utf8"));
}

function hasProductionKey(accounts: readonly AccountSpec[]): boolean {
  return accounts.some(({ keys }) => keys.some(({ key }) => key?.startsWith("svc_live_")));
}

/** @throws {UsageError} If two options contradict each other */
function serveOptions(values: Values<typeof OPTIONS>) {
  const { store = null, study = null, accounts = null, key = null, clock: at = "now" } = values;
  if (store !== null && values.world !== undefined) {
    throw wrong("store", "no --world beside it", `--world ${values.world}`);
  }
  if (key !== null && accounts !== null) {
    throw wrong("key", "no --accounts beside it, whose file has the keys", "both");
  }
  const other = store ?? values.world;
  if (study !== null && other !== undefined) {
    throw wrong("study", "no --store and no --world beside it", other);
  }
  const clock = at === "now" ? null : at;
  const { world = "small", port = 0, host: hosts = [], state = null } = values;
  const { faults = null, journal = null, "clock-rate": clockRate = clock === null ? 1 : 0 } =
    values;
  return {
    store,
    study,
    world,
    port,
    hosts,
    accounts,
    key,
    state,
    clock,
    clockRate,
    faults,
    journal,
  };
}

function readClock(given: string): Instant | "now" | undefined {
  try {
    const clock = given === "now" ? given : parseInstant(given, "--clock");
    if (clock !== "now") epochMsOf(clock);
    return clock as Instant;
  } catch {
    return undefined;
  }
}
