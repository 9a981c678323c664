import { type FactorEntry, parseFactorList } from "../base/contract/factor_list.ts";
import { type FactorListColumns, toFactorFrame } from "../frames/frame/factor_frame.ts";
import type { TypedFrame } from "../frames/frame/typed/typed_frame.ts";
import {
  type Answer,
  EXCHANGE_RULES,
  type ExchangeOptions,
  type SendOptions,
} from "./transport/exchange.ts";
import { checkOptions } from "../base/arguments/check_options.ts";
import type { Loaded } from "./verb/load_promise.ts";
import { bodyJson, readAnswer } from "./verb/read_answer.ts";
import { shareLoad } from "./verb/shared_loads.ts";
import { beginVerb, type ConnectionContext, responseInfo } from "./verb/connection_context.ts";

/** Loads the list of factors that the account may load; it is not stored (section 4.1). */
export async function loadFactors(
  context: ConnectionContext,
  options: ExchangeOptions,
): Promise<Loaded<TypedFrame<FactorListColumns>, readonly FactorEntry[]>> {
  checkOptions("call factors()", options, EXCHANGE_RULES);
  const shared = await shareLoad(
    context,
    { what: "factors", exchange: beginVerb(context, options) },
    (exchange) => receiveFactors(context, exchange),
  );
  const { entries, answer } = shared!;
  return { data: toFactorFrame(entries), raw: entries, response: responseInfo(answer) };
}

/** Requests the list of factors. */
export async function receiveFactors(
  context: Pick<ConnectionContext, "exchange" | "redact">,
  options: SendOptions,
): Promise<{ readonly entries: readonly FactorEntry[]; readonly answer: Answer }> {
  const action = "load the list of factors";
  const request = {
    method: "GET",
    endpoint: "factors",
    path: "/v1/factors",
    accept: "application/json",
    action,
  } as const;
  const answer = await context.exchange.send(request, options);
  const reading = { answer, action, redact: context.redact };
  return { entries: readAnswer(reading, () => parseFactorList(bodyJson(answer))), answer };
}
