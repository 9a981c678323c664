import { setTimeout as delay } from "node:timers/promises";
import { type Endpoint, type EndpointId, ENDPOINTS } from "../../base/contract/http/endpoint.ts";
import type { Factor } from "../../base/contract/factor.ts";
import {
  type ParsedQuery,
  parseFactorsQuery,
  parseHistoryQuery,
  parseScoresQuery,
  type QueryFault,
  type ScoresQuery,
} from "../../base/contract/http/query.ts";
import { type Account, activeFactors, isLicensed } from "../account/accounts.ts";
import { authenticate, authorize } from "../account/authenticate.ts";
import { type FaultRule, isBeforeAdmission } from "../faults/fault_plan.ts";
import {
  faultRefusal,
  planDelivery,
  proxyPage,
  spoilHeaders,
  spoilReply,
} from "../faults/spoil_reply.ts";
import { serveFactors } from "./serve_factors.ts";
import { serveHistory, serveHistoryFile } from "./serve_history.ts";
import { serveScores } from "./serve_scores.ts";
import { maskUrlKeys } from "../../base/contract/key.ts";
import type { ApiRequest, DeliveryFault, HandlerReply } from "../message/message.ts";
import type { ScoreContents } from "../catalogue/catalogue_contents.ts";
import type { HandlerCall, PipelineParts } from "./pipeline_parts.ts";
import { Refusal } from "../message/refusal.ts";
import type { ReplyHead, Trace } from "./reply_writer.ts";
import {
  assertMethod,
  assertTransportLimits,
  routeOf,
  serveOpenApi,
  splitTarget,
} from "./route.ts";

const RETRY_SECONDS = 5;

const MAX_ECHO = 100;

/** A reply of the pipeline. */
export type PipelineReply = ReplyHead & { readonly delivery: DeliveryFault | null };

interface Admitted {
  readonly parts: PipelineParts;
  readonly request: ApiRequest;
  readonly trace: Trace;
  readonly account: Account;
  readonly contents: ScoreContents;
  readonly search: string;
  readonly faults: readonly FaultRule[];
}

/**
 * Answers a request in one fixed order of steps; each step can refuse, and no later step happens then.
 *
 * 1. transport limits: 414, 431, 413, 400
 * 2. route: 404; `/openapi.json` is answered here
 * 3. method: 405
 * 4. key: 401
 * 5. scope and subscription: 403
 * 6. quota admission: 429; an admitted request spends one request allowance in any case
 * 7. validation of the query: 400
 * 8. licence of the factor: 403
 * 9. data handler; a GET of the file spends one download allowance once there is a file
 */
export async function answer(
  parts: PipelineParts,
  request: ApiRequest,
  trace: Trace,
): Promise<PipelineReply> {
  const { writer } = parts;
  let faults: readonly FaultRule[] = [];
  let head: ReplyHead;
  try {
    assertTransportLimits(request);
    const { path, search } = splitTarget(request.target);
    const open = await parts.page(path, request) ?? await serveOpenApi(path, request.method);
    if (open !== null) return { ...writer.handled(open, trace), delivery: null };
    const endpoint = routeOf(path);
    assertMethod(endpoint, request.method);
    const account = await identify(parts, request, { endpoint, trace });
    faults = parts.faults.strike({ endpoint, method: request.method, target: request.target });
    if (faults.length > 0) strikeEarly(faults, trace);
    const download = endpoint.spendsDownload && request.method === "GET";
    trace.admission = parts.quotas.admit(account, { nowMs: trace.nowMs, download });
    const contents = parts.contents(account, trace.admission);
    const admitted = { parts, request, trace, account, contents, search, faults };
    const handled = handle(endpoint.id, admitted);
    head = writer.handled(await withDeadline(handled, parts.requestDeadlineMs), trace);
  } catch (error) {
    const refusal = toRefusal(error);
    trace.code = refusal.code;
    trace.note = refusal.note;
    head = writer.refused(refusal, trace, request.method);
  }
  if (faults.length === 0) return { ...head, delivery: null };
  const headers = spoilHeaders(head.headers, faults);
  return { ...head, headers, delivery: planDelivery(faults, head.body) };
}

// Authenticates the key, and then authorises it with current licences.
async function identify(
  { access, environment }: PipelineParts,
  request: ApiRequest,
  { endpoint, trace }: { readonly endpoint: Endpoint; readonly trace: Trace },
): Promise<Account> {
  const { nowMs } = trace;
  const authorization = request.header("authorization");
  const known = authenticate(access, { authorization, nowMs, environment });
  trace.account = known.account.id;
  const grant = await (access.renew(known, endpoint) ?? known);
  authorize(grant, endpoint, nowMs);
  return grant.account;
}

const ROUTES = {
  factors: { parse: parseFactorsQuery, handle: serveFactors },
  history: { parse: parseHistoryQuery, handle: serveHistory },
  historyFile: { parse: parseHistoryQuery, handle: serveHistoryFile },
};

function handle(id: EndpointId, admitted: Admitted): Promise<ReplyHead> {
  if (id === "factors") return run(ROUTES.factors, admitted);
  if (id !== "scores") return run(ROUTES[id], admitted);
  const { representations } = admitted.parts;
  const serve = (call: HandlerCall<ScoresQuery>) => {
    admitted.trace.immutable = call.query.view.kind !== "latest";
    return serveScores(call, representations);
  };
  return run({ parse: parseScoresQuery, handle: serve }, admitted);
}

async function run<Query extends { readonly factor?: Factor }>(
  route: {
    readonly parse: (search: string) => ParsedQuery<Query>;
    readonly handle: (call: HandlerCall<Query>) => Promise<HandlerReply>;
  },
  admitted: Admitted,
): Promise<ReplyHead> {
  const { parts, request, trace, account, contents, faults } = admitted;
  const { nowMs } = trace;
  const { query, fault } = route.parse(admitted.search);
  if (fault !== undefined) throw refuseQuery(fault, admitted.search);
  assertLicence(account, query.factor, nowMs);
  if (faults.length > 0) {
    const page = await strikeLate(faults);
    if (page !== null) return page;
  }
  const spendDownload = () => trace.admission?.spendDownload();
  const completeChecks = (factor: Factor, throughMs: number) =>
    parts.engine?.catchUp(factor, throughMs);
  const reply = await route.handle({
    request,
    query,
    account,
    nowMs,
    contents,
    spendDownload,
    completeChecks,
  });
  trace.serves = reply.serves ?? null;
  return faults.reduce(spoilReply, reply);
}

function refuseQuery({ code, parameter, rule }: QueryFault, search: string): Refusal {
  const hint = queryHint(parameter, search);
  // The name is the client's text: it is returned shortened and without keys.
  const field = maskUrlKeys(parameter.slice(0, MAX_ECHO));
  return new Refusal(code, `${field} ${rule}`, {
    details: { field, rule },
    ...(hint === null ? {} : { hint }),
  });
}

function queryHint(parameter: string, search: string): string | null {
  const isBlank = search.slice(1).split("&").some((pair) =>
    pair.startsWith(`${parameter}=`) && pair.includes("+")
  );
  if (isBlank) return "a plus sign means a space in a URL; write %2B";
  const known = Object.values(ENDPOINTS).flatMap((endpoint) => endpoint.parameters);
  const closest = known.find((name) => name === parameter.toLowerCase() && name !== parameter);
  return closest === undefined ? null : `parameter names are case-sensitive: ${closest}`;
}

function assertLicence(account: Account, factor: Factor | undefined, nowMs: number): void {
  if (factor === undefined || isLicensed(account, factor, nowMs)) return;
  throw new Refusal(
    "factor_subscription_required",
    `The account has no active subscription of ${factor}`,
    { factor, note: `"${account.id}" is licensed for ${activeFactors(account, nowMs).join(", ")}` },
  );
}

function strikeEarly(faults: readonly FaultRule[], trace: Trace): void {
  trace.faults = faults.map(({ kind }) => kind);
  for (const rule of faults) {
    if (rule.kind === "status" && isBeforeAdmission(rule)) throw faultRefusal(rule);
  }
}

async function strikeLate(faults: readonly FaultRule[]): Promise<ReplyHead | null> {
  for (const rule of faults) {
    if (rule.kind === "latency") await delay(rule.ms);
    if (rule.kind === "status") throw faultRefusal(rule);
    if (rule.kind === "proxy_page") return proxyPage(rule);
  }
  return null;
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  // The journal records the cause; a stack or a path never leaves the server.
  const note = error instanceof Error ? error.stack ?? error.message : String(error);
  return new Refusal(
    "internal_error",
    "The request failed inside the service; note the request id",
    { note },
  );
}

/**
 * Waits for a result, but no longer than a deadline.
 *
 * @throws {Refusal} 503 `request_timeout` if the deadline passes first
 */
async function withDeadline<T>(result: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = "The request took longer than the service allows";
      reject(new Refusal("request_timeout", message, { retryAfterSeconds: RETRY_SECONDS }));
    }, deadlineMs);
  });
  try {
    return await Promise.race([result, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
