import type { DataFrame } from "nodejs-polars";
import { type Instant, instantOf } from "../../base/contract/instant.ts";
import type { ScoresQuery } from "../../base/contract/http/query.ts";
import {
  assertCoverage,
  parseScoreSet,
  type ScoreSet,
} from "../../base/contract/scores/score_set.ts";
import { NotFoundError, TransportError } from "../../base/errors.ts";
import { toScoreFrame } from "../../frames/frame/score_frame.ts";
import type { IfNeededOptions, SendOptions } from "../transport/exchange.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import type { Loaded } from "../verb/load_promise.ts";
import {
  type AnsweredScores,
  assertAsked,
  assertHeadersAgree,
  assertPossible,
  describeQuery,
  keepAnswer,
  receiveScores,
  scoresRequest,
} from "./request_json.ts";
import {
  assertFresh,
  readTickers,
  SCORES_RULES,
  type ScoresOptions,
  toScoresQuery,
} from "./scores_options.ts";
import { withFlight } from "../../base/disk/with_flight.ts";
import { shareLoad } from "../verb/shared_loads.ts";
import {
  beginVerb,
  type ConnectionContext,
  responseInfo,
  serviceNowMs,
} from "../verb/connection_context.ts";
import { findOtherView, findStoredScores, type ReceivedScores } from "./stored_scores.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import {
  assertAliases,
  type FactorHeaders,
  parseFactorHeaders,
} from "../../base/contract/http/header.ts";
import { parseScoreCsv } from "../../base/contract/scores/score_csv.ts";
import type { ScoreRows } from "../../base/contract/scores/score_rows.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { bodyJson, bodyText, readAnswer } from "../verb/read_answer.ts";

const TIMES = [
  ["Last-Checked-At", "lastCheckedAt"],
  ["Calculated-At", "calculatedAt"],
  ["Data-Through", "dataThrough"],
] as const;

/** Scores from the store, or from the service with its answer. */
export type FoundScores = ReceivedScores & { readonly answer: AnsweredScores["answer"] | null };

/**
 * Loads a score set: from the store if it proves the view, otherwise from the service.
 *
 * @throws {ScoreframeError} Any error of `errors.ts`; a failure never becomes a frame
 */
export async function loadScores(
  context: ConnectionContext,
  factor: string,
  options: ScoresOptions,
): Promise<Loaded<DataFrame, ScoreSet>> {
  checkOptions("call scores()", options, SCORES_RULES);
  const query = toScoresQuery(factor, options);
  const found = await findScores(context, query, beginVerb(context, options));
  const { check } = found.set;
  assertFresh(check, seenFrom(context, query, check.calculatedAt), options);
  const tickers = readTickers(options);
  const raw = tickers === null ? found.set : pickTickers(found, query, tickers);
  const { provenance = true } = options;
  const data = toScoreFrame(raw, found.receipt, { provenance });
  return { data, raw, response: found.answer && responseInfo(found.answer) };
}

/** Options of finding a complete set. */
export interface FindOptions extends SendOptions {
  /**
   * Looks for the set in the store, first and again just before the request is sent.
   *
   * @default the set that the store proves for the view
   */
  readonly findStored?: () => Promise<ReceivedScores | null>;
}

/** Finds the complete set of a query: in the store if it proves the view, otherwise at the service. */
export async function findScores(
  context: ConnectionContext,
  query: ScoresQuery,
  options: FindOptions,
): Promise<FoundScores> {
  const { findStored = () => findProved(context, query), ...exchange } = options;
  // While a request waits for its turn, another notebook may bring the set.
  const isNeeded = () => findStored().then((scores) => scores === null, () => true);
  for (;;) {
    exchange.signal?.throwIfAborted();
    const stored = await findStored();
    if (stored !== null) return { ...stored, answer: null };
    const received = await receive(context, query, { ...exchange, isNeeded })
      .catch(async (error) => {
        throw await withOtherView(context, query, error);
      });
    if (received !== null) return received;
  }
}

async function findProved(context: ConnectionContext, query: ScoresQuery) {
  const stored = await findStoredScores(context.store, query.factor, query.view);
  if (stored.kind === "none") throw noPublication(context, query);
  return stored.kind === "found" ? stored.scores : null;
}

function receive(
  context: ConnectionContext,
  query: ScoresQuery,
  { isNeeded, ...exchange }: IfNeededOptions,
): Promise<AnsweredScores | null> {
  const complete = { ...query, ticker: null };
  const ask = query.format === "csv" ? receiveCsv : receiveScores;
  return shareLoad(context, { what: complete, exchange }, (shared) => {
    const needed = { ...shared, ...(isNeeded && { isNeeded }) };
    return flyAlone(context, complete, needed, () => ask(context, complete, needed));
  });
}

// Longer than the service takes to answer (section 8), and a short wait for another notebook.
const LONGEST_FLIGHT_MS = 30_000;

// Waits for another process with the same request, whose answer will be in the store. No store answers the latest view, which
// may change at any time.
async function flyAlone(
  { store, isOffline }: ConnectionContext,
  { factor, view }: ScoresQuery,
  options: IfNeededOptions,
  ask: () => Promise<AnsweredScores | null>,
): Promise<AnsweredScores | null> {
  const { isNeeded, patience, maxWaitMs, signal } = options;
  if (view.kind === "latest" || isOffline) return await ask();
  const limits = [LONGEST_FLIGHT_MS, patience?.leftMs, patience?.waits?.totalMs, maxWaitMs];
  const flight = {
    folder: store.path,
    question: `scores ${factor} ${JSON.stringify(view)}`,
    maxWaitMs: Math.min(...limits.map((limit) => limit ?? Infinity)),
    signal,
  };
  return await withFlight(
    flight,
    async () => isNeeded === undefined || await isNeeded() ? await ask() : null,
  );
}

// Offline, the store may have the numbers of the set in another view: the error names it.
async function withOtherView(
  { store }: ConnectionContext,
  { factor, view }: ScoresQuery,
  error: unknown,
): Promise<unknown> {
  if (view.kind !== "snapshot" || !(error instanceof TransportError)) return error;
  const at = await findOtherView(store, factor, view.snapshotId);
  if (at === null) return error;
  return new TransportError(
    `${error.message}; the store has the numbers of this set, but not the check of its publication; ` +
      `at: "${at}" returns them offline, with the check of that time`,
    { cause: error.cause },
  );
}

function seenFrom(context: ConnectionContext, query: ScoresQuery, calculatedAt: Instant): Instant {
  if (query.view.kind === "at") return query.view.at;
  return query.view.kind === "snapshot" ? calculatedAt : instantOf(serviceNowMs(context));
}

const MOST_NAMED = 10;

function pickTickers(found: FoundScores, query: ScoresQuery, tickers: readonly string[]) {
  const { check, rows } = found.set;
  const places = new Map(rows.tickers.map((ticker, i) => [ticker, i]));
  const missing = tickers.filter((ticker) => !places.has(ticker)).map((ticker) => `"${ticker}"`);
  if (missing.length === 0) {
    const scores = tickers.map((ticker) => rows.scores[places.get(ticker)!] ?? null);
    return { check, rows: { tickers, scores } };
  }
  const requestId = found.answer?.requestId ?? null;
  const unnamed = missing.length - MOST_NAMED;
  const more = unnamed > 0 ? ` and ${groupThousands(unnamed)} more` : "";
  throw new NotFoundError(
    `Cannot load the ${query.factor} scores of single tickers: expected tickers of the set ` +
      `${check.snapshotId}, got ${missing.slice(0, MOST_NAMED).join(", ")}${more}, not among its ` +
      `${rows.tickers.length} rows (ticker_not_found); load the set without tickers to list its ` +
      "tickers",
    { status: 404, code: "ticker_not_found", requestId, retryAtMs: null },
  );
}

function noPublication(context: ConnectionContext, query: ScoresQuery): NotFoundError {
  const from = context.store.info.complete?.from;
  return new NotFoundError(
    `Cannot ${describeQuery(query)}: expected a check at or before that time, got none from the ` +
      `store ${context.store.path}, which is complete from ${from} on ` +
      "(score_snapshot_not_available); ask for a later time",
    {
      status: 404,
      code: "score_snapshot_not_available",
      requestId: null,
      retryAtMs: null,
      details: { proved: true },
    },
  );
}

interface CsvAnswer {
  readonly rows: ScoreRows;
  readonly told: FactorHeaders;
}

/**
 * Requests a complete score set as CSV, and stores it before returning it.
 *
 * CSV and headers carry neither version, universe, price session nor coverage (section 2.4). They come from the check in the
 * store, or from a second request for one row of the same check, so the result equals that of JSON.
 *
 * @returns The set, or `null` if it was no longer needed when its turn came
 * @throws {ContractError} If an answer breaks the API document, or the two contradict each other
 * @throws {IntegrityError} If the numbers of a known set differ
 */
async function receiveCsv(
  context: ConnectionContext,
  query: ScoresQuery,
  { isNeeded, ...options }: IfNeededOptions,
): Promise<AnsweredScores | null> {
  const { redact } = context;
  const { action, ...request } = scoresRequest({ ...query, format: "csv" });
  const answer = await context.exchange.sendIfNeeded({ ...request, action }, {
    ...options,
    ...(isNeeded && { isNeeded }),
  });
  if (answer === null) return null;
  const csv = readAnswer({ answer, action, redact }, () => {
    const told = parseFactorHeaders(answer.headers);
    assertAliases(answer.headers, told.factor);
    const rows = parseScoreCsv(bodyText(answer), query.factor);
    const check = { ...told, factorVersion: null, universe: null, pricesThrough: null };
    assertAsked(check, query);
    assertPossible(check, answer.headers, context.clock.now());
    return { rows, told };
  });
  const check = await findCheck(context, csv.told) ?? await requestCheck(context, csv, options);
  const set = readAnswer({ answer, action, redact }, () => join(csv, check));
  return await keepAnswer(context, { ...query, format: "csv" }, { set, answer });
}

async function findCheck(context: ConnectionContext, told: FactorHeaders): Promise<Check | null> {
  const view = { kind: "at", at: told.lastCheckedAt } as const;
  const stored = await findStoredScores(context.store, told.factor, view);
  if (stored.kind !== "found") return null;
  const { check } = stored.scores.set;
  return check.snapshotId === told.snapshotId && check.lastCheckedAt === told.lastCheckedAt
    ? check
    : null;
}

// One row is enough: coverage always describes the whole set.
async function requestCheck(context: ConnectionContext, csv: CsvAnswer, options: SendOptions) {
  const { told, rows } = csv;
  const ticker = rows.tickers[0] ?? null;
  const view = { kind: "at", at: told.lastCheckedAt } as const;
  const query: ScoresQuery = { factor: told.factor, view, ticker, format: "json" };
  const action = `${describeQuery(query)} to complete a CSV answer`;
  const answer = await context.exchange.send({ ...scoresRequest(query), action }, options);
  return readAnswer({ answer, action, redact: context.redact }, () => {
    const set = parseScoreSet(bodyJson(answer), ticker === null ? {} : { ticker });
    assertAsked(set.check, query);
    assertPossible(set.check, answer.headers, context.clock.now());
    assertHeadersAgree(answer.headers, set.check);
    if (set.check.snapshotId !== told.snapshotId) {
      throw new ContractViolation("$.snapshot_id", `"${told.snapshotId}"`, set.check.snapshotId);
    }
    if (ticker !== null && set.rows.scores[0] !== rows.scores[0]) {
      const required = `${rows.scores[0]} as in the CSV answer`;
      throw new ContractViolation("$.scores[0]", required, set.rows.scores[0]);
    }
    return set.check;
  });
}

// The headers of the CSV answer describe the selected check, including a stale status.
function join({ told, rows }: CsvAnswer, known: Check): ScoreSet {
  for (const [name, field] of TIMES) {
    if (known[field] === told[field]) continue;
    throw new ContractViolation(`X-Factor-${name}`, `${known[field]} as in JSON`, told[field]);
  }
  const check = { ...known, status: told.status };
  assertCoverage(check, rows);
  return { check, rows };
}
