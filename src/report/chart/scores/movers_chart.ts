import type { DataFrame } from "nodejs-polars";
import { TEXT } from "../../../base/arguments/check_options.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { assertColumns } from "../../../frames/frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { quantity, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import {
  type Origin,
  readResultOptions,
  type ResultChartOptions,
  rowOrigin,
  scoreColumnOf,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { toValue } from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

const NAMED = 5;
const MOST_POINTS = 1200;
const CUT = `Shown: the ${groupThousands(MOST_POINTS)} that moved most`;

/**
 * Draws two sets against each other: one point per ticker with a score in both, on the diagonal if it did not move. The five that moved
 * most have a colour of their own, and their names in the subtitle. Tickers with a score in one set only are counted. Above 1,200 tickers those that moved
 * least are left out, and the subtitle says so.
 *
 * @param before The earlier set: `ticker` and a score, one row per ticker
 * @param after The later set
 * @param options The column of the scores, title, width and footnote
 * @throws {TypeError} If a column is missing, or an option is unknown
 * @throws {RangeError} If a ticker occurs twice in a set
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
  options: ResultChartOptions & { readonly score?: string } = {},
): Chart {
  const action = "draw two sets against each other";
  const { score, title, widthPx = 420 } = readResultOptions(action, options, { score: TEXT });
  const [old, now] = [scoresOf(action, before, score), scoresOf(action, after, score)];
  const both = [...old].flatMap(([ticker, from]) => {
    const to = now.get(ticker);
    return to === undefined ? [] : [{ ticker, from, to, moved: toValue(to - from) as number }];
  }).toSorted((a, b) => Math.abs(b.moved) - Math.abs(a.moved));
  const [lost, gained] = [old.size - both.length, now.size - both.length];
  const changed = both.filter(({ moved }) => moved !== 0);
  const most = changed.slice(0, NAMED).map(({ ticker, from, to }) =>
    `${tickerText(ticker)} from ${decimalText(from, 3)} to ${decimalText(to, 3)}`
  );
  const subject = {
    title,
    about: "Scores of two sets, the later against the earlier",
    sample: `${countText(both.length, "ticker")} with a score in both; ` +
      `${groupThousands(lost)} lost their score, ${groupThousands(gained)} gained one`,
    ...originOfBoth([before, after], options.footnote),
    widthPx,
  };
  if (both.length === 0) return layOutNothing(subject, "no ticker has a score in both sets");
  return layOutFinding(subject, {
    finding: most.length === 0
      ? `No score of ${countText(both.length, "ticker")} changed`
      : `${groupThousands(changed.length)} of ${countText(both.length, "score")} changed; ` +
        `largest change: ${most[0]}`,
    subtitle: [
      ...both.length > MOST_POINTS ? [CUT] : [],
      ...most.length === 0 ? [] : [`In orange: ${most.join("; ")}`],
    ],
    details: most.length === 0 ? "" : `Most moved: ${most.join("; ")}`,
    views: [view(both.slice(0, MOST_POINTS), widthPx)],
  });
}

/** Ticker in a sentence; quoted if it has no letter or digit. */
function tickerText(ticker: string): string {
  return /[\p{L}\p{N}]/u.test(ticker) ? ticker : `“${ticker}”`;
}

type Mover = Readonly<{ ticker: string; from: number; to: number; moved: number }>;

function originOfBoth(sets: readonly DataFrame[], given: string | undefined): Origin {
  const [earlier, later] = sets.map((frame) => rowOrigin(frame, given)) as [Origin, Origin];
  const isSame = earlier.footnote === later.footnote;
  const isMixed = earlier.synthetic !== later.synthetic;
  return {
    footnote: isSame ? earlier.footnote : `Earlier: ${earlier.footnote}; later: ${later.footnote}`,
    synthetic: isMixed ? "some" : earlier.synthetic,
  };
}

function scoresOf(
  action: string,
  frame: DataFrame,
  given: string | undefined,
): ReadonlyMap<string, number> {
  const column = scoreColumnOf(action, frame, given);
  assertColumns(action, frame, ["ticker"]);
  const tickers: readonly unknown[] = frame.getColumn("ticker").toArray();
  if (new Set(tickers).size !== tickers.length) {
    throw new RangeError(
      `Cannot ${action}: expected one row per ticker, got a ticker twice; filter each frame to one set`,
    );
  }
  const scores: readonly unknown[] = frame.getColumn(column).toArray();
  return new Map(tickers.flatMap((ticker, i) => {
    const value = scores[i];
    return typeof value === "number" ? [[String(ticker), value] as const] : [];
  }));
}

function view(movers: readonly Mover[], width: number): ChartSpec {
  const rows = movers.map((row, i) => ({ ...row, named: i < NAMED }));
  const ends = rows.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...ends), Math.max(1, ...ends)];
  const scale = { domain: [low, high], nice: false };
  const x = quantity("from", { title: "score in the earlier set", scale });
  const y = quantity("to", { title: "score in the later set", scale });
  const diagonal = [{ from: low, to: low }, { from: high, to: high }];
  const color = { condition: { test: "datum.named", value: OTHER_COLOR }, value: MAIN_COLOR };
  const tooltip = [
    tip("ticker", "ticker"),
    tip("from", "earlier", ".4f"),
    tip("to", "later", ".4f"),
    tip("moved", "moved", "+.4f"),
  ];
  const layer = [
    mark("line", { rows: diagonal, color: QUIET_COLOR, strokeDash: [4, 3], x, y }),
    mark("point", { rows, filled: true, size: 26, opacity: 0.7, x, y, color, tooltip }),
  ];
  return { width, height: width, layer };
}
