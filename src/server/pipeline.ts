import { type Endpoint, type EndpointId, endpointOf } from "../contract/endpoint.ts";
import type { Factor } from "../contract/factor.ts";
import type { KeyEnvironment } from "../contract/key.ts";
import {
  type ParsedQuery,
  parseFactorsQuery,
  parseHistoryQuery,
  parseScoresQuery,
} from "../contract/query.ts";
import { type Account, type AccountBook, isLicensed } from "./accounts.ts";
import { authenticate, authorize } from "./authenticate.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ServerClock } from "./clock.ts";
import type { HandlerCall, HandlerReply } from "./handler.ts";
import { serveFactors } from "./handlers/serve_factors.ts";
import { serveHistory } from "./handlers/serve_history.ts";
import { serveHistoryFile } from "./handlers/serve_history_file.ts";
import { serveScores } from "./handlers/serve_scores.ts";
import type { ApiReply, ApiRequest } from "./message.ts";
import type { Admission, QuotaGate } from "./quota_gate.ts";
import { Refusal } from "./refusal.ts";
import { ReplyWriter } from "./reply_writer.ts";
import type { ScoreRepresentations } from "./score_representations.ts";
import { assertTransportLimits } from "./transport_limits.ts";
import { withDeadline } from "./with_deadline.ts";

/** The parts of a server that a request passes through. */
export interface PipelineParts {
  /** Accounts and keys. */
  readonly accounts: AccountBook;
  /** What there is to serve. */
  readonly catalogue: Catalogue;
  /** Prepared score bodies. */
  readonly representations: ScoreRepresentations;
  /** Budgets and concurrency. */
  readonly quotas: QuotaGate;
  /** Server time. */
  readonly clock: ServerClock;
  /** Which keys work here. */
  readonly environment: KeyEnvironment;
  /** Whether the numbers are made up. */
  readonly synthetic: boolean;
  /** Server-side deadline of one request. */
  readonly requestDeadlineMs: number;
}

interface Route<Query> {
  readonly parse: (search: string) => ParsedQuery<Query>;
  readonly handle: (call: HandlerCall<Query>, parts: PipelineParts) => Promise<HandlerReply>;
}

const ROUTES = {
  factors: { parse: parseFactorsQuery, handle: serveFactors },
  scores: {
    parse: parseScoresQuery,
    handle: (call, parts) => serveScores(call, parts.representations),
  } satisfies Route<Extract<ReturnType<typeof parseScoresQuery>, { fault?: never }>["query"]>,
  history: { parse: parseHistoryQuery, handle: serveHistory },
  historyFile: { parse: parseHistoryQuery, handle: serveHistoryFile },
};

/**
 * Answers a request in one fixed order; each step can refuse, and nothing behind it happens then.
 *
 * 1. transport limits: 414, 431, 413, 400
 * 2. route: 404
 * 3. method: 405
 * 4. key: 401
 * 5. scope and subscription: 403
 * 6. quota admission: 429; an admitted request spends one request allowance, whatever follows
 * 7. validation of the query: 400
 * 8. licence of the factor: 403
 * 9. data handler; a GET of the file spends one download allowance once there is a file
 */
export async function answer(parts: PipelineParts, request: ApiRequest): Promise<ApiReply> {
  const nowMs = parts.clock.nowMs();
  const writer = new ReplyWriter({ nowMs, method: request.method, synthetic: parts.synthetic });
  let admission: Admission | null = null;
  try {
    assertTransportLimits(request);
    const { path, search } = splitTarget(request.target);
    const endpoint = routeOf(path);
    assertMethod(endpoint, request.method);
    const authorization = request.header("authorization");
    const { environment } = parts;
    const grant = authenticate(parts.accounts, { authorization, nowMs, environment });
    authorize(grant, endpoint, nowMs);
    const download = endpoint.spendsDownload && request.method === "GET";
    admission = parts.quotas.admit(grant.account, { nowMs, download });
    const admitted: Admitted = { parts, request, search, nowMs, admission, account: grant.account };
    const handled = handle(endpoint.id, admitted);
    const reply = await withDeadline(handled, parts.requestDeadlineMs);
    return writer.handled(reply, admission);
  } catch (error) {
    return writer.refused(toRefusal(error), admission);
  }
}

interface Admitted {
  readonly parts: PipelineParts;
  readonly request: ApiRequest;
  readonly search: string;
  readonly nowMs: number;
  readonly admission: Admission;
  readonly account: Account;
}

function handle(id: EndpointId, admitted: Admitted): Promise<HandlerReply> {
  if (id === "scores") return run(ROUTES.scores, admitted);
  if (id === "factors") return run(ROUTES.factors, admitted);
  return run(ROUTES[id], admitted);
}

async function run<Query>(route: Route<Query>, admitted: Admitted): Promise<HandlerReply> {
  const { parts, request, nowMs, admission, account } = admitted;
  const { query, fault } = route.parse(admitted.search);
  if (fault !== undefined) {
    throw new Refusal(fault.code, `${fault.parameter} ${fault.rule}`, {
      details: { field: fault.parameter, rule: fault.rule },
    });
  }
  assertLicence(account, (query as { factor?: Factor }).factor, nowMs);
  const spendDownload = () => admission.spendDownload();
  const { catalogue } = parts;
  return await route.handle({ request, query, account, nowMs, catalogue, spendDownload }, parts);
}

function splitTarget(target: string): { path: string; search: string } {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? "";
  const local = target.slice(origin.length);
  const mark = local.indexOf("?");
  return mark === -1
    ? { path: local, search: "" }
    : { path: local.slice(0, mark), search: local.slice(mark) };
}

function routeOf(path: string): Endpoint {
  const endpoint = endpointOf(path);
  if (endpoint !== undefined) return endpoint;
  // The API document has no code of its own for unknown routes (section 7).
  throw new Refusal("score_snapshot_not_available", "There is no such route", {
    note: `the path ${path} is not one of the API's`,
  });
}

function assertMethod(endpoint: Endpoint, method: string): void {
  if ((endpoint.methods as readonly string[]).includes(method)) return;
  const allow = endpoint.methods.join(", ");
  throw new Refusal("method_not_allowed", `${endpoint.path} supports ${allow}`, {
    headers: [["Allow", allow]],
  });
}

function assertLicence(account: Account, factor: Factor | undefined, nowMs: number): void {
  if (factor === undefined || isLicensed(account, factor, nowMs)) return;
  throw new Refusal(
    "factor_subscription_required",
    `The account has no active subscription of ${factor}`,
    { factor },
  );
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  // What went wrong inside is for the journal; a stack or a path never leaves the server.
  const note = error instanceof Error ? error.stack ?? error.message : String(error);
  return new Refusal(
    "internal_error",
    "The request failed inside the service; keep the request id",
    {
      note,
    },
  );
}
