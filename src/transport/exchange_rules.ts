import { NUMBER, type OptionRules, SIGNAL } from "../arguments/check_options.ts";
import type { ExchangeOptions } from "./exchange.ts";

/** A rule for each option that every verb takes. */
export const EXCHANGE_RULES: OptionRules<ExchangeOptions> = {
  signal: SIGNAL,
  timeoutMs: NUMBER,
  deadlineMs: NUMBER,
  maxRetries: NUMBER,
  maxWaitMs: NUMBER,
  reserve: NUMBER,
};
