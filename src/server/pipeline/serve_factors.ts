import { type Factor, scoreNameOf } from "../../base/contract/factor.ts";
import { encodeFactorList, type FactorEntry } from "../../base/contract/factor_list.ts";
import { activeFactors } from "../account/accounts.ts";
import type { HandlerCall } from "./pipeline_parts.ts";
import { type HandlerReply, type HeaderField, jsonReply } from "../message/message.ts";
import { Refusal } from "../message/refusal.ts";

/**
 * Answers `GET /v1/factors`: the factors of the account (section 4.2). A recording omits a factor without data, because its
 * calculation definition is unknown.
 *
 * @throws {Refusal} 404 `score_snapshot_not_available` if the server serves a recording without data of any of them
 */
export async function serveFactors(call: HandlerCall<Record<never, never>>): Promise<HandlerReply> {
  const factors = activeFactors(call.account, call.nowMs);
  const found = await Promise.all(factors.map((factor) => entryOf(factor, call)));
  const entries = found.filter((entry) => entry !== null);
  if (entries.length === 0) throw noFactorSeen(factors);
  const reply = jsonReply(encodeFactorList(entries));
  const { world } = call.contents;
  return world === null ? reply : { ...reply, headers: [...reply.headers, worldHeader(world)] };
}

// Headers must be ASCII.
function worldHeader(world: Readonly<Record<string, unknown>>): HeaderField {
  const text = JSON.stringify(world).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return ["X-Scoreframe-World", text];
}

function noFactorSeen(factors: readonly Factor[]): Refusal {
  return new Refusal(
    "score_snapshot_not_available",
    `This server serves a recording without data of ${factors.join(" and ")}`,
    { details: { proved: false } },
  );
}

async function entryOf(factor: Factor, call: HandlerCall<unknown>): Promise<FactorEntry | null> {
  // A failing check is an error of its scores; the account's factors are known without it.
  await call.completeChecks(factor, call.nowMs)?.catch(() => {});
  const factorVersion = await call.contents.factorVersion(factor, call);
  return factorVersion === null ? null : {
    factor,
    scoreName: scoreNameOf(factor),
    factorVersion,
    scores: `/v1/scores?factor=${factor}`,
    history: `/v1/scores/history?factor=${factor}`,
    extra: {},
  };
}
