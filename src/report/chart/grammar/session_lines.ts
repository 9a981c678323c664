import type { ChartSpec } from "../chart_spec.ts";
import { thinPlaces } from "./thin_rows.ts";
import { type Row, toValue } from "./values.ts";

/** Values of a line by session. Rows as objects would take longer than the picture. */
export type Column = readonly (number | null)[];

/** Last value of a line, at the precision of the picture; `null` without values. */
export function lastOf(column: Column = []): number | null {
  const last = column.findLast((value) => value !== null && !Number.isNaN(value));
  return last === undefined ? null : toValue(last) as number;
}

/** The rows that lines need to be drawn: `session`, and each line by its name. */
export function thinColumns(
  sessions: readonly Date[],
  lines: Readonly<Record<string, Column>>,
  most: number,
) {
  const columns = Object.values(lines);
  const { places, size } = thinPlaces(columns, sessions.length, most);
  const rows = places.map((place): Row => ({
    session: toValue(sessions[place]),
    ...Object.fromEntries(
      Object.entries(lines).map(([name, column]) => [name, toValue(column[place])]),
    ),
  }));
  return { rows, size };
}

/** Steps that put lines below each other: the value of the line `w2` in the column `value`, the third of the names in the column `name`. */
export function foldLines(
  fields: readonly string[],
  names: readonly string[],
  [value, name]: readonly [value: string, name: string],
): readonly ChartSpec[] {
  return [
    { fold: fields, as: ["key", value] },
    { calculate: `${JSON.stringify(names)}[toNumber(slice(datum.key, 1))]`, as: name },
  ];
}
