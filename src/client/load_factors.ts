import type { DataFrame } from "nodejs-polars";
import { type FactorEntry, parseFactorList } from "../contract/factor_list.ts";
import { toFactorFrame } from "../frame/factor_frame.ts";
import type { ExchangeOptions } from "../transport/exchange.ts";
import { EXCHANGE_RULES } from "../transport/exchange_rules.ts";
import { checkOptions } from "../arguments/check_options.ts";
import type { Loaded } from "./verb/load_promise.ts";
import { bodyJson, readAnswer } from "./verb/read_answer.ts";
import { shareLoad } from "./verb/share_load.ts";
import { beginVerb, type ConnectionContext, responseInfo } from "./verb/connection_context.ts";

/** Loads the list of factors that the account may load; it is not stored (section 4.1). */
export async function loadFactors(
  context: ConnectionContext,
  options: ExchangeOptions,
): Promise<Loaded<DataFrame, readonly FactorEntry[]>> {
  checkOptions("factors()", options, EXCHANGE_RULES);
  const action = "load the list of factors";
  const request = {
    method: "GET",
    endpoint: "factors",
    path: "/v1/factors",
    accept: "application/json",
    action,
  } as const;
  const shared = await shareLoad(
    context,
    { what: "factors", exchange: beginVerb(context, options) },
    async (exchange) => ({ answer: await context.exchange.send(request, exchange) }),
  );
  const { answer } = shared!;
  const reading = { answer, action, redact: context.redact };
  const raw = readAnswer(reading, () => parseFactorList(bodyJson(answer)));
  return { data: toFactorFrame(raw), raw, response: responseInfo(answer) };
}
