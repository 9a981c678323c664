import { readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { epochMsOf, type Instant, instantOf } from "../../../base/contract/instant.ts";
import { maskKeys } from "../../../base/contract/key.ts";
import { StorageError } from "../../../base/errors.ts";
import type { AccountSpec } from "../../../server/account/accounts.ts";
import { parseAccounts, parseScenario, type Scenario } from "../../../server/config_files.ts";
import { createScoreServer, type ScoreServer } from "../../../server/score_server.ts";
import { JournalFile } from "../journal_file.ts";
import { parseServeOptions, SERVE_HELP, type ServeOptions } from "./serve_options.ts";
import { openServeSource, type ServeSource } from "./serve_source.ts";
import { printed, type Terminal } from "../terminal.ts";
import { untilStopped } from "../until_stopped.ts";
import type { StoreReader } from "../../../base/store/store_reader.ts";
import type { TimelineEvent } from "../../../server/timeline/timeline.ts";
import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import {
  findProvedSpan,
  proveCheckAt,
  type ProvedSpan,
} from "../../../base/store/checks/select_check.ts";

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
    const listener = await server.listen({ port: options.port, onTrouble: terminal.error });
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
  const key = `svc_test_${randomBytes(16).toString("hex")}`;
  return [{ id: "default", factors: ["ecpnd", "ecqdi"], keys: [{ key }] }];
}

async function readScenario({ faults: file }: ServeOptions): Promise<Scenario> {
  if (file === null) return { faults: [], timeline: [] };
  return parseScenario(await readText("--faults", file), { file });
}

async function readText(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const words = (cause as Error).message;
    throw new StorageError(
      `Cannot read ${option}: expected a file that can be read, got "${path}" (${words}); name another file`,
      { cause },
    );
  }
}

function hasProductionKey(accounts: readonly AccountSpec[]): boolean {
  return accounts.some(({ keys }) => keys.some(({ key }) => key?.startsWith("svc_live_")));
}

/** Warnings about events of a timeline that a store cannot play as expected, one sentence each. */
async function findUnplayable(
  store: StoreReader,
  timeline: readonly TimelineEvent[],
): Promise<readonly string[]> {
  const warnings = await Promise.all(timeline.map((event) => warningOf(store, event)));
  return warnings.filter((warning) => warning !== null);
}

async function warningOf(store: StoreReader, event: TimelineEvent): Promise<string | null> {
  if (event.kind === "correction") {
    const last = (await store.listChecks(event.factor)).at(-1)?.lastCheckedAt;
    // Published sets are immutable: only a future check can publish a correction.
    return last === undefined || Date.parse(event.at) > Date.parse(last)
      ? null
      : `the correction of ${event.factor} at ${event.at} waits for the first check after ${last}, ` +
        "the last that the store has";
  }
  if (event.kind !== "release_replaced" || event.downloadSha256 === null) return null;
  const releases = await store.listReleases(event.factor);
  const isThere = releases.some(({ release }) => release.downloadSha256 === event.downloadSha256);
  return isThere ? null : `from ${event.at} on the release of ${event.factor} is not available: ` +
    `the store has none with the checksum ${event.downloadSha256}`;
}

/** Contents and time of a server. */
interface ServedTime {
  /** The store. */
  readonly store: StoreReader;
  /** True if checks are added for further hours. */
  readonly goesOn: boolean;
  /** Time at which the server starts, epoch milliseconds. */
  readonly nowMs: number;
  /** Server seconds per real second. */
  readonly rate: number;
}

/** Notices about the numbers and the time of a starting server, one sentence each. */
export async function findNotices(served: ServedTime): Promise<readonly string[]> {
  const { store, nowMs, rate } = served;
  const notices: string[] = [];
  if (await isSynthetic(store)) notices.push("the numbers are synthetic");
  const ended = served.goesOn ? null : await describeEnd(store, instantOf(nowMs));
  if (ended !== null) notices.push(ended);
  if (rate === 0) {
    notices.push(
      "the clock stands still, so allowances are never renewed; --clock-rate 1 lets it run",
    );
  }
  return notices;
}

// A recording notes it with each check and release; all come from one service, so the last one is enough.
async function isSynthetic(store: StoreReader): Promise<boolean> {
  if (store.info.synthetic) return true;
  for (const factor of FACTORS) {
    const name = (await store.listChecks(factor)).at(-1)?.name;
    const stored = name === undefined ? null : await store.readCheck(factor, name);
    if (stored?.check.extra.synthetic === true) return true;
    const releases = await store.listReleases(factor);
    if (releases.at(-1)?.release.extra.synthetic === true) return true;
  }
  return false;
}

async function describeEnd(store: StoreReader, now: Instant): Promise<string | null> {
  if (store.info.complete === null) return await describeRecordingTimes(store, now);
  const last = await lastCheckOf(store);
  if (last === null || last >= now) return null;
  return `the last check of the store is at ${last}, before the server's time: the latest set becomes stale; ` +
    `--clock ${last} serves it as it was`;
}

async function lastCheckOf(store: StoreReader): Promise<Instant | null> {
  const lists = await Promise.all(FACTORS.map((factor) => store.listChecks(factor)));
  return lists.flatMap((checks) => checks.at(-1)?.lastCheckedAt ?? []).toSorted().at(-1) ?? null;
}

interface Recorded {
  readonly factor: Factor;
  /** Span in which the recording proves that its last check is the latest. */
  readonly span: ProvedSpan | null;
  /** Time from which it has its last release. */
  readonly releasedAt: Instant | null;
}

/**
 * Notice of what a partial recording cannot serve at a time, and of times at which it can; `null` if it can serve everything.
 */
async function describeRecordingTimes(
  store: StoreReader,
  now: Instant,
): Promise<string | null> {
  const recorded = await Promise.all(FACTORS.map((factor) => readRecorded(store, factor)));
  const lacks = (await Promise.all(recorded.map((part) => lacksAt(store, part, now)))).flat();
  if (lacks.length === 0) return null;
  return `at the server's time the recording ${lacks.join(" and ")}; ${adviceOf(recorded)}`;
}

async function readRecorded(store: StoreReader, factor: Factor): Promise<Recorded> {
  const releases = await store.listReleases(factor);
  return {
    factor,
    span: await findProvedSpan(store, factor, null),
    releasedAt: releases.at(-1)?.availableFrom ?? null,
  };
}

async function lacksAt(store: StoreReader, recorded: Recorded, now: Instant): Promise<string[]> {
  const { factor, span, releasedAt } = recorded;
  const isUnproved = span !== null && !(await proveCheckAt(store, factor, now)).known;
  return [
    ...(isUnproved ? [`does not determine the latest ${factor} set`] : []),
    ...(releasedAt !== null && releasedAt > now ? [`does not have the ${factor} release yet`] : []),
  ];
}

function adviceOf(recorded: readonly Recorded[]): string {
  const spans = recorded.flatMap(({ span }) => span ?? []);
  const releasedAt = lastOf(recorded.flatMap((part) => part.releasedAt ?? []));
  const begin = lastOf(spans.map(({ from }) => from));
  const end = spans.map(({ through }) => through).toSorted()[0] ?? releasedAt;
  const isTogether = begin === null || (end !== null && begin <= end);
  if (isTogether && (releasedAt === null || (end !== null && releasedAt <= end))) {
    return `--clock ${end} serves it as it was`;
  }
  const sets = isTogether
    ? [`--clock ${end} serves the latest sets as they were`]
    : recorded.flatMap(({ factor, span }) =>
      span === null ? [] : [`--clock ${span.through} serves the latest ${factor} set as it was`]
    );
  const releases = releasedAt === null ? [] : [`--clock ${releasedAt} serves the releases`];
  return [...sets, ...releases].join(", ");
}

function lastOf(instants: readonly Instant[]): Instant | null {
  return instants.toSorted().at(-1) ?? null;
}
