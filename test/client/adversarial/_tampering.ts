import type { FaultRule } from "../../../src/server/mod.ts";
import type { Tampering } from "./_scenario.ts";

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

/** Changes one header of a good answer. */
export function header(name: string, value: string | null): readonly FaultRule[] {
  return [{ kind: "headers", set: { [name]: value } }];
}

/** Changes each row of a good answer. */
export const rows = (change: (row: Record<string, unknown>, i: number) => unknown): Tampering =>
  json((body) => ({ ...body, scores: body.scores.map(change) }));

/** A refusal because the API document is broken. */
export const contract = (says: string) => ({ error: "ContractError", says }) as const;
