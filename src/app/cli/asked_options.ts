import { describe } from "../../base/contract/violation.ts";
import type { PartOptions } from "../../desk/dataset/part/part_facts.ts";
import { UsageError } from "./usage_error.ts";
import { texts, type ValuesOf } from "./parse_arguments.ts";

/** Flags for the options of an analysis. */
export const ASKED_FLAGS = texts(
  ...["periods", "quantiles", "min-names", "entry", "max-age-sessions"] as const,
  ...["calendar", "rebalance", "between", "weighting"] as const,
);

/** Values of {@link ASKED_FLAGS}, as typed. */
export type AskedValues = ValuesOf<typeof ASKED_FLAGS>;

/** Lines for {@link ASKED_FLAGS} in the help of a command. */
export const ASKED_HELP = `
  --rebalance WHEN   signal (at each new score; the default), weekly, monthly, a number of sessions, or dates:
                     2026-01-02,2026-02-02
  --between WHAT     the portfolio between trades: drift (with prices; the default), restore or cash
  --weighting WHAT   weights of the portfolio: factor (the default), rank, equal or quantile
  --periods 1,5,21   horizons in sessions
  --quantiles 5      number of quantiles
  --min-names 10     minimum number of stocks for the IC of a session
  --entry next       or same: enter at the next close, or at the close of the score's own session
  --max-age-sessions 5   maximum age, in sessions, of a live set that is used
  --calendar us      or own: sessions of the US market, or the dates of the prices`
  .slice(1);

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Reads the options of an analysis from the flags; the library checks their values.
 *
 * @throws {UsageError} If a flag that needs a number has none
 */
export function readAskedFlags(values: AskedValues): PartOptions {
  const number = (name: keyof AskedValues) => numberOf(name, values[name]!);
  const asked: Readonly<Record<keyof AskedValues, () => Readonly<Record<string, unknown>>>> = {
    periods: () => ({
      periods: values.periods!.split(",").map((text) => numberOf("periods", text)),
    }),
    quantiles: () => ({ quantiles: number("quantiles") }),
    "min-names": () => ({ minNames: number("min-names") }),
    entry: () => ({ entry: values.entry }),
    "max-age-sessions": () => ({ maxAgeSessions: number("max-age-sessions") }),
    calendar: () => ({ calendar: values.calendar }),
    rebalance: () => ({ rebalance: rebalanceOf(values.rebalance!) }),
    between: () => ({ between: values.between }),
    weighting: () => ({ weighting: values.weighting }),
  };
  return Object.assign({}, ...givenFlags(values).map((name) => asked[name]()));
}

/** Names of the flags that were typed. */
export function givenFlags(values: AskedValues): readonly (keyof AskedValues)[] {
  const names = Object.keys(ASKED_FLAGS) as (keyof AskedValues)[];
  return names.filter((name) => values[name] !== undefined);
}

function rebalanceOf(text: string): unknown {
  if (NUMBER.test(text)) return Number(text);
  return /^\d{4}-/.test(text) ? text.split(",") : text;
}

function numberOf(name: keyof AskedValues, text: string): number {
  if (NUMBER.test(text)) return Number(text);
  const like = name === "periods" ? "whole numbers such as 1,5,21" : "a whole number";
  throw new UsageError(
    `Cannot analyse a partition: expected --${name} to be ${like}, got ${describe(text)}`,
  );
}
