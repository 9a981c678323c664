import type { DataFrame } from "nodejs-polars";
import type { Factor } from "../../base/contract/factor.ts";
import { type Instant, instantOf } from "../../base/contract/instant.ts";
import type { ScoresQuery, View } from "../../base/contract/http/query.ts";
import type { ScoreSet } from "../../base/contract/scores/score_set.ts";
import { NotFoundError, TransportError } from "../../base/errors.ts";
import { toScoreFrame } from "../../frames/frame/score_frame.ts";
import type { IfNeededOptions, SendOptions } from "../transport/exchange.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { assertFresh } from "./freshness.ts";
import type { Loaded } from "../verb/load_promise.ts";
import { receiveCsv } from "./request_csv.ts";
import { type AnsweredScores, describeQuery, receiveScores } from "./request_json.ts";
import { readTickers, SCORES_RULES, type ScoresOptions, toScoresQuery } from "./scores_options.ts";
import { withFlight } from "../../base/disk/with_flight.ts";
import { shareLoad } from "../verb/share_load.ts";
import {
  beginVerb,
  type ConnectionContext,
  responseInfo,
  serviceNowMs,
} from "../verb/connection_context.ts";
import { findOtherView, findStoredScores, type ReceivedScores } from "./stored_scores.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";

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
  const set = tickers === null ? found.set : pickTickers(found, query, tickers);
  const { provenance = true } = options;
  const data = toScoreFrame(set, found.receipt, { provenance });
  return { data, raw: set, response: found.answer && responseInfo(found.answer) };
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
  const { factor, view } = query;
  // While a request waits for its turn, another notebook may bring the set.
  const isNeeded = () => findStored().then((scores) => scores === null, () => true);
  for (;;) {
    exchange.signal?.throwIfAborted();
    const stored = await findStored();
    if (stored !== null) return { ...stored, answer: null };
    const received = await receive(context, query, { ...exchange, isNeeded })
      .catch(async (error) => {
        throw await withOtherView(context, view, { factor, error });
      });
    if (received !== null) return received;
  }
}

async function findProved(
  context: ConnectionContext,
  query: ScoresQuery,
): Promise<ReceivedScores | null> {
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
    return flyAlone(context, complete, needed, (options) => ask(context, complete, options));
  });
}

// Longer than the service takes to answer (section 8), and a short wait for another notebook.
const LONGEST_FLIGHT_MS = 30_000;

// Waits for another process with the same request, whose answer will be in the store. No store answers the latest view, which
// may change at any time.
async function flyAlone<Answer>(
  { store, isOffline }: ConnectionContext,
  { factor, view }: ScoresQuery,
  options: IfNeededOptions,
  ask: (options: IfNeededOptions) => Promise<Answer | null>,
): Promise<Answer | null> {
  const { isNeeded = () => Promise.resolve(true), patience, maxWaitMs, signal } = options;
  if (view.kind === "latest" || isOffline) return await ask(options);
  const limits = [LONGEST_FLIGHT_MS, patience?.leftMs, patience?.waits?.totalMs, maxWaitMs];
  const flight = {
    folder: store.path,
    question: `scores ${factor} ${JSON.stringify(view)}`,
    maxWaitMs: Math.min(...limits.map((limit) => limit ?? Infinity)),
    signal,
  };
  return await withFlight(flight, async () => await isNeeded() ? await ask(options) : null);
}

// Offline, the store may have the numbers of the set in another view: the error names it.
async function withOtherView(
  { store }: ConnectionContext,
  view: View,
  { factor, error }: { readonly factor: Factor; readonly error: unknown },
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

function pickTickers(
  found: FoundScores,
  query: ScoresQuery,
  tickers: readonly string[],
): ScoreSet {
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
