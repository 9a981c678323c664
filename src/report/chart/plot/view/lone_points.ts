import type { Row, Value } from "../../grammar/values.ts";

/** The columns of a line. */
export interface LineColumns {
  readonly x: string;
  readonly y: string;
  /** The columns that divide the rows into lines. */
  readonly by: readonly string[];
}

/** Rows that a line does not show because each has a gap or an end on both sides. */
export function lonePoints(rows: readonly Row[], { x, y, by }: LineColumns): readonly Row[] {
  const lines = new Map<string, Row[]>();
  for (const row of rows) {
    if (row[x] === null) continue;
    const name = JSON.stringify(by.map((column): Value | undefined => row[column]));
    const line = lines.get(name);
    if (line === undefined) lines.set(name, [row]);
    else line.push(row);
  }
  return [...lines.values()].flatMap((line) => {
    const sorted = line.toSorted((a, b) => a[x]! < b[x]! ? -1 : a[x]! > b[x]! ? 1 : 0);
    const isGap = (place: number) => typeof sorted[place]?.[y] !== "number";
    return sorted.filter((_, place) => !isGap(place) && isGap(place - 1) && isGap(place + 1));
  });
}
