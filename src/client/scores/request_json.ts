import { encodeScoresQuery, type ScoresQuery } from "../../base/contract/http/query.ts";
import { parseScoreSetText, type ScoreSet } from "../../base/contract/scores/score_set.ts";
import { ContractError, StorageError } from "../../base/errors.ts";
import { type CheckOrigin, sourceOf } from "../../frames/frame/provenance/origin.ts";
import { storedSetOf } from "../../base/store/scores/set_file.ts";
import type { Answer, IfNeededOptions } from "../transport/exchange.ts";
import { bodyText, readAnswer } from "../verb/read_answer.ts";
import { type ConnectionContext, receivedAtOf } from "../verb/connection_context.ts";
import { isSynthetic, type ReceivedScores } from "./stored_scores.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import { parseFactorHeaders } from "../../base/contract/http/header.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import type { Store } from "../../base/store/store.ts";

// The service and its front end may be different machines, and the Date header has whole seconds.
const CLOCK_SLACK_MS = 60_000;

/** Scores from the service, already stored. */
export interface AnsweredScores extends ReceivedScores {
  /** The answer. */
  readonly answer: Answer;
}

/**
 * Requests a complete score set, and stores it before returning it.
 *
 * A latest view is requested with the validator of the last answer; a 304 means the stored set. A 304 that contradicts that set
 * is dropped with its validator, and the set is requested once more without one.
 *
 * @param query Selection of a set; it must be complete, in JSON
 * @returns The set, or `null` if it was no longer needed when its turn came
 * @throws {ContractError} If the answer breaks the API document or does not match the request
 * @throws {IntegrityError} If the numbers of a known set differ
 */
export async function receiveScores(
  context: ConnectionContext,
  query: ScoresQuery,
  options: IfNeededOptions,
): Promise<AnsweredScores | null> {
  const { exchange, ledger, notices, redact } = context;
  const request = scoresRequest(query);
  const known = await findKnown(context, query);
  const conditional = known === null ? request : { ...request, ifNoneMatch: known.etag };
  const answer = await exchange.sendIfNeeded(conditional, options);
  if (answer === null) return null;
  if (answer.status === 200 || known === null) return await accept(context, query, answer);
  const { set } = known;
  try {
    // A validator covers the check as well as its rows (section 4.3): the headers of a 304 must match the stored check.
    const { action } = request;
    readAnswer({ answer, action, redact }, () => assertHeadersAgree(answer.headers, set.check));
    return await keepAnswer(context, query, { set, answer });
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    // With the validator the service would repeat such a 304 for every latest view.
    ledger.dropValidator(validatorKey(exchange, query));
    notices.once(
      `${error.message}; the 304 was dropped with its validator, and the whole set is requested again`,
    );
    const again = await exchange.sendIfNeeded(request, options);
    return again && await accept(context, query, again);
  }
}

async function accept(context: ConnectionContext, query: ScoresQuery, answer: Answer) {
  const set = readScoreAnswer(query, answer, context);
  return await keepAnswer(context, query, { set, answer });
}

/**
 * Keeps a received set, its check, the view that led to it, and the validator of a latest view, before it becomes a frame.
 *
 * @throws {IntegrityError} If the numbers of a known set differ
 * @throws {StorageError} If the disk cannot be written
 */
export async function keepAnswer(
  context: ConnectionContext,
  query: ScoresQuery,
  received: ScoreAnswer,
): Promise<AnsweredScores> {
  const { set, answer } = received;
  context.notices.aboutCheck(set.check);
  await putScores(context, query, received).catch((error) => {
    if (!(error instanceof StorageError)) throw error;
    throw new StorageError(
      `Cannot ${describeQuery(query)}: expected to write the answer to the store ` +
        `${context.store.path} before it becomes a frame, got "${error.message}"; load it again ` +
        "once the store can be written",
      { cause: error },
    );
  });
  const synthetic = answer.synthetic || isSynthetic(set.check);
  const source = sourceOf(answer.source, synthetic);
  return { set, answer, receipt: { source, retrievedAt: receivedAtOf(answer) } };
}

/** Request of a scores query. */
export function scoresRequest(query: ScoresQuery) {
  return {
    method: "GET",
    endpoint: "scores",
    path: `/v1/scores?${encodeScoresQuery(query)}`,
    accept: query.format === "csv" ? "text/csv" : "application/json",
    action: describeQuery(query),
  } as const;
}

/** Action of a scores query, worded to follow "Cannot". */
export function describeQuery({ factor, view }: ScoresQuery): string {
  if (view.kind === "latest") return `load the latest ${factor} scores`;
  if (view.kind === "at") return `load the ${factor} scores at ${view.at}`;
  return `load the ${factor} set ${view.snapshotId}`;
}

interface ScoreAnswer {
  readonly set: ScoreSet;
  readonly answer: Answer;
}

async function putScores(
  { store, exchange, ledger, proofSpacingMs }: ConnectionContext,
  query: ScoresQuery,
  { set, answer }: ScoreAnswer,
): Promise<void> {
  // A 304 has the rows of the store.
  if (answer.status === 200) await store.putSet(storedSetOf(set));
  const retrievedAt = receivedAtOf(answer);
  const check = await store.putCheck({ check: set.check, retrievedAt, origin: exchange.origin });
  const { view, factor } = query;
  if (view.kind === "at") await store.putView(factor, { at: view.at, check });
  if (view.kind !== "latest") return;
  await keepLatestView(store, { check: set.check, name: check, answer }, proofSpacingMs);
  const etag = answer.headers.get("ETag");
  if (etag === null) return;
  const { snapshotId } = set.check;
  ledger.writeValidator(validatorKey(exchange, query), { etag, check, snapshotId });
}

/**
 * Reads a JSON answer, validates it, and compares it with the request.
 *
 * @throws {ContractError} If it breaks the API document or does not match the request
 */
export function readScoreAnswer(
  query: ScoresQuery,
  answer: Pick<Answer, "body" | "headers" | "requestId">,
  { redact, clock }: Pick<ConnectionContext, "redact" | "clock">,
): ScoreSet {
  return readAnswer({ answer, action: describeQuery(query), redact }, () => {
    const set = parseScoreSetText(bodyText(answer));
    assertAsked(set.check, query);
    assertPossible(set.check, answer.headers, clock.now());
    assertHeadersAgree(answer.headers, set.check);
    return set;
  });
}

// A validator is useful only with its body: a validator from another store would lead to a 304 without a set.
async function findKnown({ store, ledger, exchange }: ConnectionContext, query: ScoresQuery) {
  if (query.view.kind !== "latest") return null;
  const validator = ledger.readValidator(validatorKey(exchange, query));
  if (validator === null) return null;
  const [set, stored] = await Promise.all([
    store.readSet(query.factor, validator.snapshotId),
    store.readCheck(query.factor, validator.check),
  ]);
  if (set === null || stored === null) return null;
  return { etag: validator.etag, set: { check: stored.check, rows: set.rows } };
}

// Keyed by the URL (section 8); the ledger belongs to one account.
function validatorKey({ origin }: ConnectionContext["exchange"], query: ScoresQuery): string {
  return `${origin}${scoresRequest(query).path}`;
}

/**
 * Refuses a check that does not match the request.
 *
 * @throws {ContractViolation} If factor or set id differ, the check is after the requested instant or not the publication of
 * the requested set, or it is stale although the latest view was not requested
 * @see API document, sections 3 and 4.3
 */
export function assertAsked(check: CheckOrigin, query: ScoresQuery): void {
  const { factor, view } = query;
  if (check.factor !== factor) throw new ContractViolation("$.factor", `"${factor}"`, check.factor);
  if (view.kind === "snapshot" && check.snapshotId !== view.snapshotId) {
    throw new ContractViolation("$.snapshot_id", `"${view.snapshotId}"`, check.snapshotId);
  }
  if (view.kind === "snapshot" && check.lastCheckedAt !== check.calculatedAt) {
    const required = `the publication of the set, ${check.calculatedAt}`;
    throw new ContractViolation("$.last_checked_at", required, check.lastCheckedAt);
  }
  if (view.kind !== "latest" && check.status === "stale") {
    throw new ContractViolation("$.status", "the status that the check recorded", check.status);
  }
  if (view.kind === "at" && check.lastCheckedAt > view.at) {
    const required = `no later than ${view.at}`;
    throw new ContractViolation("$.last_checked_at", required, check.lastCheckedAt);
  }
}

/**
 * Refuses an impossible check: one in the future, with data from the future, or with the calculation definition of the other
 * factor. The future begins after the answer's `Date` and after this machine's time: a proxy may have a wrong clock.
 *
 * @param headers Headers of the answer; without a `Date`, the future is not checked
 * @throws {ContractViolation} With the field
 * @see API document, sections 2.2 and 9
 */
export function assertPossible(check: CheckOrigin, headers: Headers, nowMs: number): void {
  const { factor, factorVersion, lastCheckedAt, dataThrough } = check;
  if (dataThrough > lastCheckedAt) {
    const required = `a time not after the check at ${lastCheckedAt}`;
    throw new ContractViolation("$.data_through", required, dataThrough);
  }
  const sentMs = Date.parse(headers.get("Date") ?? "");
  if (epochMsOf(lastCheckedAt) > Math.max(sentMs, nowMs) + CLOCK_SLACK_MS) {
    const required = `a time not after the answer of ${headers.get("Date")}`;
    throw new ContractViolation("$.last_checked_at", required, lastCheckedAt);
  }
  const other = FACTORS.find((name) => name !== factor && factorVersion?.startsWith(`${name}-`));
  if (other !== undefined) {
    throw new ContractViolation("$.factor_version", `a definition of ${factor}`, factorVersion);
  }
}

/**
 * Refuses headers that contradict the body.
 *
 * @throws {ContractViolation} With the name of the first header that is missing or differs
 * @see API document, section 4.3
 */
export function assertHeadersAgree(headers: Headers, check: Check): void {
  const told = parseFactorHeaders(headers);
  const pairs = [
    ["X-Factor-Name", "factor"],
    ["X-Factor-Status", "status"],
    ["X-Factor-Snapshot", "snapshotId"],
    ["X-Factor-Calculated-At", "calculatedAt"],
    ["X-Factor-Last-Checked-At", "lastCheckedAt"],
    ["X-Factor-Data-Through", "dataThrough"],
  ] as const;
  for (const [name, field] of pairs) {
    if (told[field] === check[field]) continue;
    throw new ContractViolation(name, `"${check[field]}" as in the body`, told[field]);
  }
}

/** Answer to a request for the latest check. */
interface LatestAnswer {
  /** The check. */
  readonly check: Pick<Check, "factor" | "lastCheckedAt">;
  /** Its file in the store. */
  readonly name: string;
  /** The answer. */
  readonly answer: Pick<Answer, "headers" | "sentAtMs" | "receivedAtMs">;
}

/**
 * Stores the instant at which a check was the latest one. It equals a view at that instant (section 4.3), so the store proves
 * every view between the two.
 */
export async function keepLatestView(
  store: Store,
  latest: LatestAnswer,
  spacingMs = 0,
): Promise<void> {
  const { check: { factor, lastCheckedAt }, name } = latest;
  const at = selectedAt(latest.answer);
  // The check's own time needs no proof.
  if (at === null || at <= lastCheckedAt) return;
  const last = spacingMs > 0 ? (await store.listViews(factor)).at(-1) : undefined;
  const isProvedAround = last !== undefined && last > lastCheckedAt &&
    epochMsOf(at) - epochMsOf(last) < spacingMs;
  if (isProvedAround) return;
  // Of two answers for one instant the first one counts.
  if (await store.readView(factor, at) !== null) return;
  await store.putView(factor, { at, check: name });
}

/**
 * Earliest instant, by the service's clock, at which it can have selected the latest check: after the request was sent, and
 * before it wrote the time, which has whole seconds. `null` if the answer has no time.
 */
export function selectedAt(
  { headers, sentAtMs, receivedAtMs }: LatestAnswer["answer"],
): Instant | null {
  const answeredMs = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(answeredMs)) return null;
  return instantOf(answeredMs - Math.max(receivedAtMs - sentAtMs, 0));
}
