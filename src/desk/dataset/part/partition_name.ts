import { epochDayOf, fromEpochDay, toEpochDay } from "../../../base/calendar/civil_date.ts";
import type { DaySpan } from "./part_tables.ts";

/** Calendar period of a partition. */
export type PartitionKind = "year" | "quarter" | "month";

/** A partition of an analysis: its name and days. */
export interface NamedSpan {
  /** `year=2024`, `quarter=2024-Q1` or `month=2024-03`. */
  readonly name: string;
  /** Its days, both included. */
  readonly span: DaySpan;
}

const NAME = /^(?:year=(\d{4})|quarter=(\d{4})-Q([1-4])|month=(\d{4})-(0[1-9]|1[0-2]))$/;

/**
 * Reads the name of a partition.
 *
 * @throws {RangeError} If it is malformed
 */
export function parsePartition(name: string): NamedSpan & { readonly kind: PartitionKind } {
  const found = NAME.exec(name);
  if (found === null) {
    throw new RangeError(
      "Cannot analyse a partition: expected year=2024, quarter=2024-Q1 or month=2024-03, got " +
        JSON.stringify(name),
    );
  }
  const [, year, quarterYear, quarter, monthYear, month] = found;
  if (year !== undefined) return { name, kind: "year", span: monthsFrom(Number(year), 1, 12) };
  if (quarterYear !== undefined) {
    const span = monthsFrom(Number(quarterYear), 3 * Number(quarter) - 2, 3);
    return { name, kind: "quarter", span };
  }
  return { name, kind: "month", span: monthsFrom(Number(monthYear), Number(month), 1) };
}

/**
 * Refuses a partition without a day of the sample.
 *
 * @throws {RangeError} If it is before or after all of them
 */
export function assertInSample({ name, span }: NamedSpan, { from, to }: DaySpan): void {
  if (span.from <= to && span.to >= from) return;
  throw new RangeError(
    "Cannot analyse a partition: expected a partition with days of the sample, " +
      `${fromEpochDay(from)} to ${fromEpochDay(to)}, got ${name}; listPartitions() names them, ` +
      "or --list",
  );
}

/** Partitions of a kind that cover some days, ascending; each day is in exactly one. */
export function partitionsOf({ from, to }: DaySpan, kind: PartitionKind): readonly NamedSpan[] {
  const partitions: NamedSpan[] = [];
  for (let day = from; day <= to;) {
    const partition = partitionOn(day, kind);
    partitions.push(partition);
    day = partition.span.to + 1;
  }
  return partitions;
}

/** The days of a span as texts. */
export function spanText({ from, to }: DaySpan): { readonly from: string; readonly to: string } {
  return { from: fromEpochDay(from), to: fromEpochDay(to) };
}

/** A span of days from its texts. */
export function spanOf(texts: { readonly from: string; readonly to: string }): DaySpan {
  return { from: toEpochDay(texts.from), to: toEpochDay(texts.to) };
}

function partitionOn(day: number, kind: PartitionKind): NamedSpan {
  const [year, month] = fromEpochDay(day).split("-");
  const quarter = Math.ceil(Number(month) / 3);
  const name = kind === "year"
    ? `year=${year}`
    : kind === "quarter"
    ? `quarter=${year}-Q${quarter}`
    : `month=${year}-${month}`;
  return { name, span: parsePartition(name).span };
}

function monthsFrom(year: number, month: number, count: number): DaySpan {
  const end = month + count;
  const [endYear, endMonth] = end > 12 ? [year + 1, end - 12] : [year, end];
  return { from: epochDayOf(year, month, 1), to: epochDayOf(endYear, endMonth, 1) - 1 };
}
