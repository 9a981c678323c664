import type { Check } from "../../base/contract/scores/check.ts";
import {
  assertAliases,
  type FactorHeaders,
  parseFactorHeaders,
} from "../../base/contract/http/header.ts";
import type { ScoresQuery } from "../../base/contract/http/query.ts";
import { parseScoreCsv } from "../../base/contract/scores/score_csv.ts";
import type { ScoreRows } from "../../base/contract/scores/score_rows.ts";
import {
  assertCoverage,
  parseScoreSet,
  type ScoreSet,
} from "../../base/contract/scores/score_set.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import type { Answer, IfNeededOptions, SendOptions } from "../transport/exchange.ts";
import { assertAsked, assertHeadersAgree, assertPossible } from "./assert_answer.ts";
import { bodyJson, bodyText, readAnswer } from "../verb/read_answer.ts";
import { type AnsweredScores, describeQuery, keepAnswer, scoresRequest } from "./request_json.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";
import { findStoredScores } from "./stored_scores.ts";

interface CsvAnswer {
  readonly answer: Answer;
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
export async function receiveCsv(
  context: ConnectionContext,
  query: ScoresQuery,
  { isNeeded, ...options }: IfNeededOptions,
): Promise<AnsweredScores | null> {
  const csv = await requestCsv(context, query, { ...options, ...(isNeeded && { isNeeded }) });
  if (csv === null) return null;
  const check = await findCheck(context, csv.told) ??
    await requestCheck(context, csv, options);
  const action = describeQuery(query);
  const { answer } = csv;
  const set = readAnswer({ answer, action, redact: context.redact }, () => join(csv, check));
  return await keepAnswer(context, { ...query, format: "csv" }, { set, answer });
}

async function requestCsv(
  context: ConnectionContext,
  query: ScoresQuery,
  options: IfNeededOptions,
): Promise<CsvAnswer | null> {
  const request = scoresRequest({ ...query, format: "csv" });
  const { action } = request;
  const answer = await context.exchange.sendIfNeeded(request, options);
  if (answer === null) return null;
  return readAnswer({ answer, action, redact: context.redact }, () => {
    const told = parseFactorHeaders(answer.headers);
    assertAliases(answer.headers, told.factor);
    const rows = parseScoreCsv(bodyText(answer), query.factor);
    const check = { ...told, factorVersion: null, universe: null, pricesThrough: null };
    assertAsked(check, query);
    assertPossible(check, answer.headers);
    return { answer, rows, told };
  });
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
async function requestCheck(
  context: ConnectionContext,
  csv: CsvAnswer,
  options: SendOptions,
): Promise<Check> {
  const { told, rows } = csv;
  const ticker = rows.tickers[0] ?? null;
  const view = { kind: "at", at: told.lastCheckedAt } as const;
  const query: ScoresQuery = { factor: told.factor, view, ticker, format: "json" };
  const action = `${describeQuery(query)} to complete a CSV answer`;
  const answer = await context.exchange.send({ ...scoresRequest(query), action }, options);
  return readAnswer({ answer, action, redact: context.redact }, () => {
    const set = parseScoreSet(bodyJson(answer), ticker === null ? {} : { ticker });
    assertAsked(set.check, query);
    assertPossible(set.check, answer.headers);
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

const TIMES = [
  ["Last-Checked-At", "lastCheckedAt"],
  ["Calculated-At", "calculatedAt"],
  ["Data-Through", "dataThrough"],
] as const;

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
