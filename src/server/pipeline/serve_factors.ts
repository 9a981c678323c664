import type { Factor } from "../../contract/factor.ts";
import { scoreNameOf } from "../../contract/factor.ts";
import { encodeFactorList } from "../../contract/factor_list.ts";
import { activeFactors } from "../account/accounts.ts";
import type { HandlerCall, HandlerReply } from "./handler.ts";
import { jsonReply } from "./json_reply.ts";

/** Answers `GET /v1/factors`: the factors of the account (section 4.2). */
export async function serveFactors(
  call: HandlerCall<Record<never, never>>,
): Promise<HandlerReply> {
  const factors = activeFactors(call.account, call.nowMs);
  const entries = await Promise.all(factors.map((factor) => entryOf(factor, call)));
  return jsonReply(encodeFactorList(entries));
}

async function entryOf(factor: Factor, call: HandlerCall<unknown>) {
  // A check that fails is told by its scores: what the account may load is known without it.
  await call.completeChecks(factor, call.nowMs)?.catch(() => {});
  return {
    factor,
    scoreName: scoreNameOf(factor),
    factorVersion: await call.catalogue.factorVersion(factor, call.nowMs),
    scores: `/v1/scores?factor=${factor}`,
    history: `/v1/scores/history?factor=${factor}`,
    extra: {},
  };
}
