import type { DataFrame } from "nodejs-polars";
import { type FactorEntry, parseFactorList } from "../contract/factor_list.ts";
import { toFactorFrame } from "../frame/factor_frame.ts";
import type { ExchangeOptions } from "../transport/exchange.ts";
import { checkOptions, EXCHANGE_RULES } from "./check_options.ts";
import type { Loaded } from "./load_promise.ts";
import { bodyJson, readAnswer } from "./read_answer.ts";
import { beginVerb, responseInfo, type Session } from "./session.ts";

/** Loads the list of factors that the account may load; it is not stored (section 4.1). */
export async function loadFactors(
  session: Session,
  options: ExchangeOptions,
): Promise<Loaded<DataFrame, readonly FactorEntry[]>> {
  checkOptions("factors()", options, EXCHANGE_RULES);
  const action = "load the list of factors";
  const answer = await session.exchange.send({
    method: "GET",
    endpoint: "factors",
    path: "/v1/factors",
    accept: "application/json",
    action,
  }, beginVerb(session, options));
  const context = { answer, action, redact: session.redact };
  const raw = readAnswer(context, () => parseFactorList(bodyJson(answer)));
  return { data: toFactorFrame(raw), raw, response: responseInfo(answer) };
}
