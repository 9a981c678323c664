import { demean } from "../../base/statistics/moments.ts";
import type { SessionSeries } from "../inference/session_series.ts";

/** Specification whose mean is tested. */
export interface TestedSpecification {
  readonly series: Pick<SessionSeries, "days" | "values">;
  readonly overlap: number;
}

/** Deviations of each specification from its mean, over the sessions of all of them and the middles of their windows. */
export function placeInMiddle(
  specifications: readonly TestedSpecification[],
): readonly Float64Array[] {
  const days = Int32Array.from(new Set(specifications.flatMap(({ series }) => [...series.days])))
    .sort();
  const placeOf = new Map(Array.from(days, (day, place) => [day, place]));
  const middle = (overlap: number) => Math.floor((overlap - 1) / 2);
  const length = days.length + middle(Math.max(...specifications.map(({ overlap }) => overlap)));
  return specifications.map(({ series, overlap }) => {
    const column = new Float64Array(length);
    const rest = demean(series.values);
    for (const [i, day] of series.days.entries()) {
      column[placeOf.get(day)! + middle(overlap)] = rest[i]!;
    }
    return column;
  });
}
