import { type Endpoint, ENDPOINTS } from "./endpoint.ts";
import type { ErrorCode } from "./error_body.ts";
import { DEFAULT_FACTOR, type Factor, isFactor } from "../factor.ts";
import { isTicker, isUuid, MAX_TICKER_LENGTH } from "../identifier.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { ContractViolation } from "../violation.ts";

/** Representation of a score set. */
export type ScoreFormat = "json" | "csv";

/** Selection of a check: the latest, as of an instant, or a set by its id. */
export type View =
  | { readonly kind: "latest" }
  | { readonly kind: "at"; readonly at: Instant }
  | { readonly kind: "snapshot"; readonly snapshotId: string };

/** The query of the scores endpoint (section 4.3). */
export interface ScoresQuery {
  /** Selected factor. */
  readonly factor: Factor;
  /** Selected check. */
  readonly view: View;
  /** Exact ticker, or `null` for all rows. */
  readonly ticker: string | null;
  /** Representation. */
  readonly format: ScoreFormat;
}

/** Reason for refusing a query: error code, parameter and failed rule. */
export interface QueryFault {
  /** Error code of section 7. */
  readonly code: ErrorCode;
  /** Offending parameter. */
  readonly parameter: string;
  /** Failed rule. */
  readonly rule: string;
  /** The kind of value that the parameter must have, if that is the rule. */
  readonly kind?: string;
}

/** A parsed query, or the reason for refusing it. */
export type ParsedQuery<Query> =
  | { readonly query: Query; readonly fault?: never }
  | { readonly query?: never; readonly fault: QueryFault };

/** Parses the query of the scores endpoint, the text after the `?` (section 4.3). */
export function parseScoresQuery(search: string): ParsedQuery<ScoresQuery> {
  return attempt(() => {
    const parameters = readParameters(search, ENDPOINTS.scores);
    const factor = readFactor(parameters);
    const ticker = read(parameters, "ticker", isTicker, tickerRule) ?? null;
    const format = read(parameters, "format", isScoreFormat, () => '"json" or "csv"') ?? "json";
    return { factor, view: readView(parameters), ticker, format };
  });
}

/** Reads the query of the two history endpoints (sections 4.4 to 4.6). */
export function parseHistoryQuery(search: string): ParsedQuery<{ readonly factor: Factor }> {
  return attempt(() => ({ factor: readFactor(readParameters(search, ENDPOINTS.history)) }));
}

/** Reads the query of the factor list, which takes no parameters (section 4.2). */
export function parseFactorsQuery(search: string): ParsedQuery<Record<never, never>> {
  return attempt(() => {
    readParameters(search, ENDPOINTS.factors);
    return {};
  });
}

/** Text after the `?` for a scores query; always includes the factor, because its default is fixed. */
export function encodeScoresQuery(query: ScoresQuery): string {
  const parameters = new URLSearchParams({ factor: query.factor });
  if (query.ticker !== null) parameters.set("ticker", query.ticker);
  if (query.format !== "json") parameters.set("format", query.format);
  if (query.view.kind === "at") parameters.set("at", query.view.at);
  if (query.view.kind === "snapshot") parameters.set("snapshot_id", query.view.snapshotId);
  return parameters.toString();
}

class Refusal extends Error {
  constructor(readonly fault: QueryFault) {
    super(fault.rule);
  }
}

function attempt<Query>(parse: () => Query): ParsedQuery<Query> {
  try {
    return { query: parse() };
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.fault };
    throw error;
  }
}

function refuse(parameter: string, rule: string, code: ErrorCode = "invalid_request"): never {
  throw new Refusal({ code, parameter, rule });
}

function refuseKind(parameter: string, kind: string, code: ErrorCode = "invalid_request"): never {
  throw new Refusal({ code, parameter, rule: `must be ${kind}`, kind });
}

function readParameters(search: string, endpoint: Endpoint): ReadonlyMap<string, string> {
  const text = search.startsWith("?") ? search.slice(1) : search;
  try {
    decodeURIComponent(text);
  } catch {
    refuse("query", "must be valid percent-encoded UTF-8");
  }
  const parameters = new Map<string, string>();
  // With the ampersand, URLSearchParams does not drop a second question mark.
  for (const [name, value] of new URLSearchParams(`&${text}`)) {
    if (!endpoint.parameters.includes(name)) refuse(name, "is not a parameter of this endpoint");
    if (parameters.has(name)) refuse(name, "must not be repeated");
    parameters.set(name, value);
  }
  return parameters;
}

function readFactor(parameters: ReadonlyMap<string, string>): Factor {
  const factor = parameters.get("factor") ?? DEFAULT_FACTOR;
  if (isFactor(factor)) return factor;
  return refuseKind("factor", '"ecpnd" or "ecqdi"', "invalid_factor");
}

function readView(parameters: ReadonlyMap<string, string>): View {
  if (parameters.has("at") && parameters.has("snapshot_id")) {
    refuse("at", "excludes snapshot_id", "use_at_or_snapshot_id");
  }
  const snapshotId = read(parameters, "snapshot_id", isUuid, () => "a UUID");
  if (snapshotId !== undefined) return { kind: "snapshot", snapshotId: snapshotId.toLowerCase() };
  const at = parameters.get("at");
  return at === undefined ? { kind: "latest" } : { kind: "at", at: readInstant(at) };
}

function readInstant(at: string): Instant {
  try {
    return parseInstant(at, "at");
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    return refuseKind("at", error.required);
  }
}

function read<T extends string>(
  parameters: ReadonlyMap<string, string>,
  name: string,
  accepts: (value: string) => value is T,
  rule: (value: string) => string,
): T | undefined {
  const value = parameters.get(name);
  if (value === undefined || accepts(value)) return value;
  return refuseKind(name, rule(value));
}

function tickerRule(value: string): string {
  return value.length > MAX_TICKER_LENGTH
    ? `at most ${MAX_TICKER_LENGTH} characters long`
    : "made of the characters A-Z, 0-9, dot and hyphen";
}

function isScoreFormat(value: string): value is ScoreFormat {
  return value === "json" || value === "csv";
}
