import type { DataFrame } from "nodejs-polars";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { quantity, tip } from "../grammar/encodings.ts";
import { assertHas, originText, scoreColumnOf } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { readResultOptions } from "../grammar/result_options.ts";
import { numberIn, type Row, toValue } from "../grammar/values.ts";
import type { ScoreSetChartOptions } from "./score_set_chart.ts";

const NAMED = 8;
const MOST_POINTS = 1200;

/**
 * Draws two sets against each other: a point a ticker with a score in both, on the diagonal if it did not move; the tickers
 * that moved most are named. Tickers with a score in one set only are counted. Above 1,200 tickers those that moved
 * least are left out, and the subtitle says so.
 *
 * @param before The earlier set: `ticker` and a score, one row a ticker
 * @param after The later set
 * @param options The column of the scores, title, width and footnote
 * @throws {TypeError} If a column is missing, or an option unknown
 * @throws {RangeError} If a ticker stands twice in a set
 *
 * @example Usage
 * ```ts
 * import { demo } from "scoreframe";
 * import { moversChart } from "scoreframe/chart";
 *
 * const api = await demo();
 * const before = await api.scores("ecpnd", { at: "2026-11-02T15:00:00Z" });
 * const chart = moversChart(before, await api.scores("ecpnd"));
 * if (!chart.description.includes("tickers with a score in both")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function moversChart(
  before: DataFrame,
  after: DataFrame,
  options: ScoreSetChartOptions = {},
): Chart {
  const action = "draw two sets against each other";
  const { score, ...rest } = options;
  const { title = "Who moved", widthPx = 420 } = readResultOptions(action, rest);
  const [old, now] = [scoresOf(action, before, score), scoresOf(action, after, score)];
  const both = [...old].flatMap(([ticker, from]): Row[] => {
    const to = now.get(ticker);
    return to === undefined ? [] : [{ ticker, from, to, moved: toValue(to - from) }];
  }).toSorted((a, b) => Math.abs(numberIn(b, "moved")) - Math.abs(numberIn(a, "moved")));
  const rows = both.slice(0, MOST_POINTS).map((row, i): Row => ({ ...row, named: i < NAMED }));
  const [lost, gained] = [old.size - both.length, now.size - both.length];
  const changed = both.filter((row) => row["moved"] !== 0).length;
  const sample =
    `${groupThousands(both.length)} tickers with a score in both, ${changed} changed; ` +
    `${lost} lost theirs, ${gained} gained one`;
  const cut = both.length > MOST_POINTS ? [`Drawn are the ${MOST_POINTS} that moved most`] : [];
  const most = both.slice(0, NAMED).filter((row) => row["moved"] !== 0).map((row) =>
    `${row["ticker"]} from ${decimals(numberIn(row, "from"), 3)} to ${
      decimals(numberIn(row, "to"), 3)
    }`
  );
  const origins = [before, after].map((frame) => originText(frame, options.footnote));
  return layOutChart({
    title,
    subtitle: [sample, ...cut],
    footnote: origins[0] === origins[1]
      ? origins[0]!
      : `Earlier: ${origins[0]}; later: ${origins[1]}`,
    widthPx,
    description: `${title}: ${sample}. ` +
      (most.length === 0 ? "No ticker moved." : `Most moved: ${most.join("; ")}.`),
    views: [view(rows, widthPx)],
  });
}

function scoresOf(
  action: string,
  frame: DataFrame,
  given: string | undefined,
): ReadonlyMap<string, number> {
  const column = scoreColumnOf(action, frame, given);
  assertHas(action, frame, ["ticker"]);
  const tickers: readonly unknown[] = frame.getColumn("ticker").toArray();
  if (new Set(tickers).size !== tickers.length) {
    throw new RangeError(
      `Cannot ${action}: one row a ticker is required, a ticker stands twice; filter each frame to one set`,
    );
  }
  const scores: readonly unknown[] = frame.getColumn(column).toArray();
  return new Map(tickers.flatMap((ticker, i) => {
    const value = scores[i];
    return typeof value === "number" ? [[String(ticker), value] as const] : [];
  }));
}

function view(rows: readonly Row[], width: number): ChartSpec {
  const ends = rows.flatMap((row) => [numberIn(row, "from"), numberIn(row, "to")]);
  const [low, high] = [Math.min(0, ...ends), Math.max(1, ...ends)];
  const scale = { domain: [low, high], nice: false };
  const x = quantity("from", { title: "score in the earlier set", scale });
  const y = quantity("to", { title: "score in the later set", scale });
  return {
    width,
    height: width,
    layer: [
      {
        data: { values: [{ from: low, to: low }, { from: high, to: high }] },
        mark: { type: "line", color: QUIET_COLOR, strokeDash: [4, 3] },
        encoding: { x, y },
      },
      {
        data: { values: rows },
        mark: { type: "point", filled: true, size: 26, opacity: 0.7 },
        encoding: {
          x,
          y,
          color: { condition: { test: "datum.named", value: OTHER_COLOR }, value: MAIN_COLOR },
          tooltip: [
            tip("ticker", "ticker"),
            tip("from", "earlier", ".4f"),
            tip("to", "later", ".4f"),
            tip("moved", "moved", "+.4f"),
          ],
        },
      },
      {
        data: { values: rows.filter((row) => row["named"] === true && row["moved"] !== 0) },
        mark: { type: "text", align: "left", dx: 6, fontSize: 9 },
        encoding: { x, y, text: { field: "ticker" } },
      },
    ],
  };
}
