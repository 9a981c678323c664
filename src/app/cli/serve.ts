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
import { printed, type Terminal, untilStopped } from "./terminal.ts";
import {
  findNotices,
  findUnplayable,
  openServeSource,
  type ServeSource,
  type SourceOptions,
} from "./serve_source.ts";
import {
  assertLocal,
  HELP_OPTION,
  namesOf,
  parseArguments,
  texts,
  UsageError,
  type ValuesOf,
} from "./parse_arguments.ts";
import { commandLine } from "../../base/runtime/command_line.ts";

/** Options of the serve command. */
interface ServeOptions extends SourceOptions {
  /** Port; 0 takes a free one. */
  readonly port: number;
  /** Host names under which it may be asked beside those of this machine. */
  readonly hosts: readonly string[];
  /** Accounts file, or `null` for one account with a new key. */
  readonly accounts: string | null;
  /** Key of the one account, or `null` for that of the state folder, or a new one. */
  readonly key: string | null;
  /** State folder, or `null` to keep spending in memory. */
  readonly state: string | null;
  /** Server seconds per real second. */
  readonly clockRate: number;
  /** Faults file, or `null`. */
  readonly faults: string | null;
  /** Journal file, or `null`. */
  readonly journal: string | null;
}

const KEY_FILE = "key.txt";

const OPTIONS = {
  ...texts(
    "store",
    "study",
    "world",
    "port",
    "host",
    "accounts",
    "key",
    "state",
    "clock",
    "clock-rate",
  ),
  ...{ ...texts("faults", "journal"), ...HELP_OPTION },
};

/** Output of `serve --help`. */
const SERVE_HELP: string = `usage: ${commandLine()} serve [options]

Serves the whole Research Factor Score API on 127.0.0.1 until it is stopped.

  --store DIR          serve a store: a recording, or a world built earlier
  --study DIR          serve what a study shows at its time; its hold-out stays closed
  --world small|full   serve a synthetic world (default: small)
  --port N             port; 0 takes a free one (default: 0)
  --host NAMES         names under which it may be asked beside localhost, such as that of a proxy
  --accounts FILE      accounts as JSON (default: one account, whose key is printed)
  --key KEY            key of that account, such as svc_test_desk (default: a new one; with --state the same again)
  --state DIR          keep spent allowances here across restarts (default: in memory)
  --clock INSTANT|now  server time (default: now); a clock set to an instant stands still
  --clock-rate N       server seconds per real second (default: 1 for now, 0 for an instant)
  --faults FILE        faults and timeline as JSON
  --journal FILE       write every request as a line of JSON, and a summary at the end
  --help               this text`;

/**
 * Runs `serve`: the embedded server over a store or a synthetic world, until SIGTERM or SIGINT.
 *
 * @returns The exit code
 */
export async function runServe(args: string[], terminal: Terminal): Promise<number> {
  let options: ServeOptions | null;
  try {
    options = parseServeOptions(args);
  } catch (error) {
    terminal.error(maskKeys(error instanceof Error ? error.message : String(error)));
    terminal.error("serve --help lists the options");
    return 2;
  }
  if (options === null) return printed(terminal, SERVE_HELP);
  try {
    await serve(options, terminal);
    return 0;
  } catch (error) {
    terminal.error(maskKeys(error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

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

/**
 * Reads the command line.
 *
 * @returns `null` if help is asked for
 * @throws {UsageError} If an option does not exist, or its value is invalid
 */
export function parseServeOptions(args: readonly string[]): ServeOptions | null {
  const { values } = parseArguments(args, { options: OPTIONS });
  if (values.help === true) return null;
  assertOneSource(values);
  assertLocal("keep a state", values.state);
  const { clock: at = "now", port = "0" } = values;
  const clock = at === "now" ? null : readClock(at);
  return {
    store: values.store ?? null,
    study: values.study ?? null,
    world: readWorld(values.world ?? "small"),
    port: readNumber("--port", port, { max: 65_535, whole: true }),
    hosts: namesOf(values.host),
    accounts: values.accounts ?? null,
    key: values.key ?? null,
    state: values.state ?? null,
    clock,
    clockRate: readNumber("--clock-rate", values["clock-rate"] ?? (clock === null ? "1" : "0"), {
      max: 1e6,
      whole: false,
    }),
    faults: values.faults ?? null,
    journal: values.journal ?? null,
  };
}

function assertOneSource({ store, world, study, key, accounts }: ValuesOf<typeof OPTIONS>): void {
  if (store !== undefined && world !== undefined) {
    throw wrong("--store", "no --world beside it", `--world ${world}`);
  }
  if (key !== undefined && accounts !== undefined) {
    throw wrong("--key", "no --accounts beside it, whose file has the keys", "both");
  }
  const other = store ?? world;
  if (study === undefined || other === undefined) return;
  throw wrong("--study", "no --store and no --world beside it", other);
}

function readWorld(value: string): "small" | "full" {
  if (value === "small" || value === "full") return value;
  throw wrong("--world", "small or full", value);
}

function readClock(value: string): Instant {
  try {
    const instant = parseInstant(value, "--clock");
    epochMsOf(instant);
    return instant;
  } catch {
    throw wrong("--clock", '"now" or an RFC 3339 date-time such as 2026-11-20T15:00:00Z', value);
  }
}

function readNumber(
  name: string,
  value: string,
  range: { readonly max: number; readonly whole: boolean },
): number {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (number <= range.max && (!range.whole || Number.isInteger(number))) return number;
  const kind = range.whole ? "a whole number" : "a number";
  throw wrong(name, `${kind} from 0 to ${range.max}`, value);
}

function wrong(name: string, required: string, value: string): UsageError {
  return new UsageError(`Cannot use ${name}: expected ${required}, got "${value}"`);
}
