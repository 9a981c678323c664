import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { countText } from "../../../base/wording/number_text.ts";
import type { DenseScores, Marks } from "../../dense/dense_scores.ts";

// Shorter runs, and those after fewer changes, are no surprise.
const FEWEST_SESSIONS = 10;
const FEWEST_CHANGES = 5;
const LONGER = 3;

/** Sentence on scores of which none changes from a session to the end, though they changed often before; `null` without such an end. */
export function constantText(
  { scores, tickers, days, from, to }: Pick<
    DenseScores,
    "scores" | "tickers" | "days" | "from" | "to"
  >,
): string | null {
  const width = tickers.length;
  const known = new Float64Array(width).fill(NaN);
  let [run, longest, changes, since] = [0, 0, 0, -1];
  for (let d = from; d < to && scores.length > 0; d++) {
    let [isScored, isChanged] = [false, false];
    for (let name = 0; name < width; name++) {
      const score = scores[d * width + name]!;
      if (score !== score) continue;
      isScored = true;
      if (known[name] === known[name] && known[name] !== score) isChanged = true;
      known[name] = score;
    }
    if (!isScored) continue;
    if (since === -1 || isChanged) {
      longest = Math.max(longest, run);
      [run, since] = [0, d];
      changes++;
    } else run++;
  }
  const isEnd = run >= FEWEST_SESSIONS && run > LONGER * longest && changes > FEWEST_CHANGES;
  return isEnd
    ? `No score changes after ${fromEpochDay(days[since]!)}: ${countText(run, "session")} repeat ` +
      "the scores of that one, as if they had been filled."
    : null;
}

/** Number of stocks with a score whose last close is before the end of the prices. */
export function countDelisted(
  { scores, tickers, days }: Pick<DenseScores, "scores" | "tickers" | "days">,
  { ends, priced }: Pick<Marks, "ends" | "priced">,
): number {
  const width = tickers.length;
  const ended = [...tickers.keys()].filter((name) => {
    const last = days.findLastIndex((_, d) => priced[d * width + name] === 1);
    return last !== -1 && ends[last * width + name] === 1;
  });
  const isScored = (name: number) => days.some((_, d) => !Number.isNaN(scores[d * width + name]!));
  return ended.filter(isScored).length;
}
