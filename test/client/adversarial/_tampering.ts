import type { FaultRule, FaultTarget } from "../../../src/server/faults/fault_plan.ts";
import type { Failure, Tampering } from "./_scenario.ts";

/** A score set response. */
export type Body = Record<string, unknown> & {
  scores: Record<string, unknown>[];
  coverage: Record<string, unknown>;
};

/** Changes the JSON of a good answer, and nothing else of it. */
export function json(change: (body: Body) => unknown): Tampering {
  return ({ status, headers, text }) => {
    if (status !== 200 || !text.startsWith("{")) return new Response(text, { status, headers });
    return new Response(JSON.stringify(change(JSON.parse(text))), { status, headers });
  };
}

/** Changes the text of a good answer. */
export function text(change: (text: string) => string | Uint8Array<ArrayBuffer>): Tampering {
  return ({ status, headers, text }) => new Response(change(text), { status, headers });
}

/** Changes each row of a good answer. */
export const rows = (change: (row: Record<string, unknown>, i: number) => unknown): Tampering =>
  json((body) => ({ ...body, scores: body.scores.map(change) }));

type Fault<Kind, Rule = FaultRule> = Rule extends { readonly kind: infer Known }
  ? Kind extends Known ? Rule : never
  : never;
/** Gives a good answer other fields. */
export const fields = (others: Record<string, unknown>) => json((body) => ({ ...body, ...others }));
/** Puts another text in the place of the first such one. */
export const replacing = (from: string, to: string) => text((body) => body.replace(from, to));

/** A fault of one kind. */
export const fault = <Kind extends FaultRule["kind"]>(
  kind: Kind,
  more: Omit<Fault<Kind>, "kind"> = {} as never,
) => ({ kind, ...more }) as FaultRule;
export const status = (status: number, more: Partial<Fault<"status">> = {}) =>
  fault("status", { status, ...more });
export const page = (status: number, more: FaultTarget = {}) =>
  fault("proxy_page", { status, ...more });
export const headers = (set: Readonly<Record<string, string | null>>, more: FaultTarget = {}) =>
  fault("headers", { set, ...more });
/** Changes one header of a good answer. */
export const header = (name: string, value: string | null) => headers({ [name]: value });
export const once = { count: 1 } as const;
export const file = { endpoint: "historyFile", method: "GET" } as const;

/** An error of a class, with what it carries. */
export const fails = (
  error: Failure["error"],
  status?: number,
  code?: string | null,
  says?: string,
): Failure => ({ error, status, code, says });
/** A refusal because the API document is broken. */
export const contract = (says?: string) => fails("ContractError", undefined, undefined, says);
export const transport = (says?: string) => fails("TransportError", undefined, undefined, says);
export const integrity = (says?: string) => fails("IntegrityError", undefined, undefined, says);
