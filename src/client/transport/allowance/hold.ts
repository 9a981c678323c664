import type { Hold } from "./account_state.ts";
import { type ExchangeRequest, isFileGet } from "../exchange.ts";

const FILE_GET = "GET historyFile";
// Short holds, so the whole account can wait.
const PASSING_CODES: readonly string[] = ["rate_limit_exceeded", "concurrent_request_limit"];

/** Wait that a refusal requires. */
export interface RefusedWait {
  /** HTTP status. */
  readonly status: number;
  /** Machine-readable error code, if there is one. */
  readonly code: string | null;
  /** The earliest time that the service allows, epoch milliseconds of this machine; `null` if it named none. */
  readonly retryAtMs: number | null;
  /**
   * True if a relay refused: it still answers from its store, so a spent day holds only one request.
   *
   * @default false
   */
  readonly isOfRelay?: boolean;
}

/** Scopes of the holds that apply to a request: everything, its endpoint, its path, its query. */
export function scopesOf(request: ExchangeRequest): readonly string[] {
  const scopes = ["*", request.endpoint, scopeOfPath(request), scopeOfQuestion(request)];
  return isFileGet(request) ? [...scopes, FILE_GET] : scopes;
}

/**
 * Scope of the wait after a refusal: the download budget holds file GETs, a rate limit or a restart holds the
 * whole account, a missing set or release holds its factor's path, and anything else its endpoint.
 */
export function holdAfter(request: ExchangeRequest, refusal: RefusedWait): Hold | null {
  const { status, code, retryAtMs, isOfRelay = false } = refusal;
  if (retryAtMs === null) return null;
  const isOfOne = isOfRelay && !(code !== null && PASSING_CODES.includes(code));
  const scope = isOfOne ? scopeOfQuestion(request) : scopeAfter(request, status, code);
  return { scope, status, code, untilMs: retryAtMs };
}

function scopeAfter(request: ExchangeRequest, status: number, code: string | null): string {
  if (code === "download_limit_exceeded") return FILE_GET;
  if (status === 429 || code === "service_unavailable") return "*";
  if (code === "score_snapshot_preparing" || code === "historical_export_preparing") {
    return scopeOfPath(request);
  }
  return request.endpoint;
}

function scopeOfQuestion({ method, path }: ExchangeRequest): string {
  return `${method} ${path}`;
}

// An answer about one factor does not apply to the other; the view within a factor makes no difference.
function scopeOfPath(request: ExchangeRequest): string {
  const factor = new URLSearchParams(request.path.split("?")[1] ?? "").get("factor");
  return `${request.endpoint} ${factor ?? "ecpnd"}`;
}
