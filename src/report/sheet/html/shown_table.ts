import type { DataFrame } from "nodejs-polars";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { decimalText, pText } from "../../../base/wording/number_text.ts";
import { reasonText } from "../../../base/wording/sentences/reason_text.ts";
import { heading } from "./heading.ts";

const MOST_DECIMALS = 5;
const DIGITS = 4;
// Of basis points and percentages.
const UNIT_DECIMALS = 2;
const EMPTY = "no value";

/** Displayed cell. */
export interface ShownCell {
  readonly text: string;
  /** True if there is no value. */
  readonly isNone: boolean;
  /** True of a date, which is never broken. */
  readonly isDate: boolean;
}

/** Displayed column and its cells. */
export interface ShownColumn {
  readonly name: string;
  readonly isNumber: boolean;
  readonly cells: readonly ShownCell[];
}

/**
 * Table of a frame in a sheet: equal decimals within a column, p values and reasons in their usual form, no empty column, and "no
 * value" for null.
 */
export function shownTable(frame: DataFrame): readonly ShownColumn[] {
  const records: readonly Record<string, unknown>[] = frame.toRecords();
  return frame.columns.map((name) => ({ name, values: records.map((row) => row[name]) }))
    .filter(({ values }) => values.some(isKnown))
    .map(({ name, values }) => {
      const isNumber = values.some((value) => typeof value === "number");
      const isP = name.split("_").includes("p");
      const places = /, (?:bps|%)$/.test(name) ? UNIT_DECIMALS : decimalsOf(values);
      const text = (value: unknown) =>
        typeof value !== "number"
          ? textOf(name, value)
          : isP
          ? pText(value)
          : numberText(value, places);
      return {
        name: heading(name),
        isNumber,
        cells: values.map((value) => ({
          text: isKnown(value) ? text(value) : EMPTY,
          isNone: !isKnown(value),
          isDate: value instanceof Date,
        })),
      };
    });
}

/** A table in plain lines below its caption. */
export function tableText(caption: string, frame: DataFrame): string {
  const columns = shownTable(frame);
  if (frame.height === 0) return `${caption}: no rows`;
  const widths = columns.map(({ name, cells }) =>
    Math.max(name.length, ...cells.map(({ text }) => text.length))
  );
  const line = (texts: readonly string[]) =>
    texts.map((text, i) =>
      columns[i]!.isNumber ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)
    ).join("  ").trimEnd();
  const rows = Array.from(
    { length: frame.height },
    (_, at) => line(columns.map(({ cells }) => cells[at]!.text)),
  );
  return [caption, line(columns.map(({ name }) => name)), ...rows].join("\n");
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function textOf(name: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return name === "reason" ? reasonText(String(value)) : String(value);
}

/**
 * Number of decimals at which the smallest fraction of a column has two digits, so that its numbers align; `null` for a column with
 * numbers of several kinds.
 */
function decimalsOf(values: readonly unknown[]): number | null {
  const sizes = values.filter((value) => typeof value === "number" && !Number.isInteger(value))
    .map((value) => Math.abs(value as number));
  if (sizes.length === 0) return 0;
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (most >= 10 && least < 0.1) return null;
  const wanted = Math.max(1 - Math.floor(Math.log10(least)), 3 - Math.floor(Math.log10(most)));
  return Math.max(1, Math.min(MOST_DECIMALS, wanted));
}

function numberText(value: number, decimals: number | null): string {
  if (Number.isInteger(value)) return decimalText(value, 0);
  if (decimals === null) {
    return groupThousands(String(Number(value.toPrecision(DIGITS)))).replaceAll("-", "−");
  }
  // A value that would round to zero is not rounded.
  const isTiny = Math.abs(value) < 0.5 * 10 ** -decimals;
  return isTiny ? value.toExponential(1).replaceAll("-", "−") : decimalText(value, decimals);
}
