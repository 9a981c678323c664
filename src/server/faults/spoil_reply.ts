import { createHash } from "node:crypto";
import {
  bodySize,
  type DeliveryFault,
  type HandlerReply,
  type HeaderField,
  isReplyStream,
  type ReplyBody,
  type ReplyStream,
} from "../message/message.ts";
import type { FaultRule, RowsFault, StatusFault } from "./fault_plan.ts";
import { ERROR_CODES, isErrorCode } from "../../base/contract/http/error_body.ts";
import { Refusal } from "../message/refusal.ts";

const PAGE = "<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>\n";

/** Applies a content fault to a handler's reply; the transport applies delivery faults. */
export function spoilReply(reply: HandlerReply, rule: FaultRule): HandlerReply {
  switch (rule.kind) {
    case "corrupt":
      return { ...reply, body: corrupt(reply.body, rule.offset) };
    case "release_swapped":
      return { ...reply, body: mapJson(reply.body, swapRelease) };
    case "duplicate_row":
    case "unsorted_rows":
    case "missing_row":
    case "score_out_of_range":
      return { ...reply, body: mapText(reply.body, (text) => spoilRows(text, rule.kind)) };
    case "unknown_status":
      return withUnknownStatus(reply, rule.status ?? "recalculating");
    default:
      return reply;
  }
}

/** Applies header faults to the headers of a reply. */
export function spoilHeaders(
  headers: readonly HeaderField[],
  rules: readonly FaultRule[],
): readonly HeaderField[] {
  return rules.reduce((fields, rule) => {
    if (rule.kind !== "headers") return fields;
    const changed = new Map(
      Object.entries(rule.set).map(([name, value]) => [name.toLowerCase(), { name, value }]),
    );
    const kept = fields.filter(([name]) => !changed.has(name.toLowerCase()));
    const added = [...changed.values()].flatMap(({ name, value }): HeaderField[] =>
      value === null ? [] : [[name, value]]
    );
    return [...kept, ...added];
  }, headers);
}

/** Refusal of a status fault. */
export function faultRefusal(rule: StatusFault): Refusal {
  const { status } = rule;
  const waits = status === 429 || status === 503;
  const seconds = rule.retryAfterSeconds ?? (waits ? 1 : 0);
  const headers: HeaderField[] = Object.entries(rule.headers ?? {});
  if (status === 401) headers.push(["WWW-Authenticate", "Bearer"]);
  if (status === 405) headers.push(["Allow", "GET"]);
  return new Refusal(codeOf(rule), `An injected fault answers with ${status}`, {
    status,
    headers,
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    ...(rule.factor === undefined ? {} : { factor: rule.factor }),
    note: "an injected fault",
  });
}

// Undefined codes are allowed: clients must tolerate later editions of the document.
function codeOf(rule: StatusFault): keyof typeof ERROR_CODES {
  if (rule.code !== undefined) return rule.code as keyof typeof ERROR_CODES;
  const first = Object.keys(ERROR_CODES).find((code) =>
    isErrorCode(code) && ERROR_CODES[code].status === rule.status
  );
  if (rule.status === 408) return "request_timeout";
  if (isErrorCode(first)) return first;
  return rule.status < 500 ? "invalid_request" : "internal_error";
}

/** Status, headers and body of a proxy's page. */
export function proxyPage(
  rule: { readonly status?: number; readonly html?: string },
): { status: number; headers: readonly HeaderField[]; body: Uint8Array<ArrayBuffer> } {
  return {
    status: rule.status ?? 502,
    headers: [["Content-Type", "text/html; charset=utf-8"]],
    body: new TextEncoder().encode(rule.html ?? PAGE),
  };
}

function withUnknownStatus(reply: HandlerReply, status: string): HandlerReply {
  const headers = reply.headers.map(([name, value]): HeaderField =>
    /^X-[A-Z]+-Status$/i.test(name) ? [name, status] : [name, value]
  );
  const isJson = headers.some(([, value]) => value === "application/json");
  const body = isJson ? mapJson(reply.body, (json) => ({ ...json, status })) : reply.body;
  return { ...reply, headers, body };
}

function swapRelease(metadata: Record<string, unknown>): Record<string, unknown> {
  const earlier = createHash("sha256").update(`earlier ${metadata.download_sha256}`);
  return { ...metadata, download_sha256: earlier.digest("hex") };
}

function corrupt(body: ReplyBody, offset: number | undefined): ReplyBody {
  if (body === null) return null;
  const size = isReplyStream(body) ? body.sizeBytes : body.length;
  const at = offset ?? Math.floor(size / 2);
  if (isReplyStream(body)) return { sizeBytes: body.sizeBytes, open: () => flip(body, at) };
  const copy = new Uint8Array(body);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

async function* flip(body: ReplyStream, at: number): AsyncIterable<Uint8Array<ArrayBuffer>> {
  let start = 0;
  for await (const chunk of body.open()) {
    const i = at - start;
    if (i >= 0 && i < chunk.length) chunk[i] = chunk[i]! ^ 1;
    start += chunk.length;
    yield chunk;
  }
}

function mapText(body: ReplyBody, change: (text: string) => string): ReplyBody {
  if (!(body instanceof Uint8Array)) return body;
  return new TextEncoder().encode(change(new TextDecoder().decode(body)));
}

function mapJson(
  body: ReplyBody,
  change: (json: Record<string, unknown>) => Record<string, unknown>,
): ReplyBody {
  return mapText(body, (text) => JSON.stringify(change(JSON.parse(text))));
}

/** Breaks a rule of the rows in the text of a score response (JSON or CSV). */
function spoilRows(text: string, kind: RowsFault["kind"]): string {
  if (!text.startsWith("{")) {
    const [header = "", ...lines] = text.trimEnd().split("\n");
    return `${[header, ...spoil(lines, kind, (line) => `${line.split(",")[0]},1.5`)].join("\n")}\n`;
  }
  const set = JSON.parse(text) as { scores: Record<string, unknown>[]; score_name: string };
  const beyondOne = (row: Record<string, unknown>) => ({ ...row, [set.score_name]: 1.5 });
  return JSON.stringify({ ...set, scores: spoil(set.scores, kind, beyondOne) });
}

function spoil<Row>(
  rows: readonly Row[],
  kind: RowsFault["kind"],
  beyondOne: (row: Row) => Row,
): readonly Row[] {
  const [first, second, ...rest] = rows;
  if (first === undefined) return rows;
  switch (kind) {
    case "duplicate_row":
      return [...rows, rows.at(-1)!];
    case "missing_row":
      return rows.slice(0, -1);
    case "unsorted_rows":
      return second === undefined ? rows : [second, first, ...rest];
    case "score_out_of_range":
      return [beyondOne(first), ...rows.slice(1)];
  }
}

/** Delivery fault of several rules, or `null` for a normal delivery. */
export function planDelivery(rules: readonly FaultRule[], body: ReplyBody): DeliveryFault | null {
  const sizeBytes = bodySize(body);
  let fault: DeliveryFault | null = null;
  const orderly = {
    contentLength: sizeBytes,
    stopAfterBytes: sizeBytes,
    reset: false,
    chunkBytes: Infinity,
    intervalMs: 0,
  };
  for (const rule of rules) {
    const change = changeOf(rule, sizeBytes);
    if (change !== null) fault = { ...(fault ?? orderly), ...change };
  }
  return fault;
}

function changeOf(rule: FaultRule, sizeBytes: number): Partial<DeliveryFault> | null {
  switch (rule.kind) {
    case "dribble":
      return { chunkBytes: rule.chunkBytes ?? 16, intervalMs: rule.intervalMs ?? 50 };
    case "reset":
      return { stopAfterBytes: rule.afterBytes ?? -1, reset: true };
    case "cut":
      return { stopAfterBytes: rule.afterBytes ?? Math.floor(sizeBytes / 2) };
    case "content_length":
      return { contentLength: sizeBytes + rule.by };
    default:
      return null;
  }
}
