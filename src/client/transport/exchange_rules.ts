import { AMOUNT, type OptionRules, SIGNAL } from "../../base/arguments/check_options.ts";
import type { ExchangeOptions } from "./exchange.ts";

/** Accepted options of every verb. */
export const EXCHANGE_RULES: OptionRules<ExchangeOptions> = {
  signal: SIGNAL,
  timeoutMs: AMOUNT,
  deadlineMs: AMOUNT,
  maxRetries: AMOUNT,
  maxWaitMs: AMOUNT,
  reserve: AMOUNT,
};
