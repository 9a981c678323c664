import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { bookFrame } from "../portfolio/portfolio_returns.ts";
import { factorWeights } from "../portfolio/factor_weights.ts";
import { toWeights, type Weights } from "../portfolio/weights.ts";
import { netOf, readTraded } from "../series/costs/trading_costs.ts";
import { informationSummary } from "../series/information_summary.ts";
import { sharpeOf } from "../series/performance/performance.ts";
import { tableSeries } from "../inference/table_series.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { AnalysisSample } from "./analysis_sample.ts";
import { marksOf } from "../dense/marks.ts";
import { carryBook } from "../portfolio/book/carry_book.ts";

/** Columns of the table, in order. */
export const LEAD_LAG_COLUMNS = {
  lag: "count",
  sessions: "count",
  mean: "number",
  low: "number",
  high: "number",
  p: "number",
  reason: "text",
  one_way_bps: "number",
  sharpe: "number",
  sharpe_low: "number",
  sharpe_high: "number",
} as const;

const LAGS = Array.from({ length: 16 }, (_, i) => i - 5);

/** Mean IC of the return of the session after entry, and Sharpe ratio at the middle cost, by sessions between the usual entry and this one. */
export function leadLag(sample: AnalysisSample): TableFrame<typeof LEAD_LAG_COLUMNS> | null {
  const { quantized, plan, aligned, oneWayBps } = sample;
  if (quantized === null) return null;
  const { dense } = quantized;
  // A lag of the IC counts to the end of the return, a session after entry.
  const lags = LAGS.map((lag) => lag + 1);
  const ics = informationCoefficient(quantized, { lags, minNames: plan.minNames });
  const series = tableSeries(ics, dense.days, { value: "ic", group: "lag" });
  const means = informationSummary(series).table.toRecords();
  const weights = factorWeights(quantized, { weighting: plan.weighting });
  const marks = marksOf("carry a portfolio", dense);
  const rate = oneWayBps.toSorted((a, b) => a - b)[Math.floor(oneWayBps.length / 2)]!;
  const rows = LAGS.map((lag) => {
    const ic = means.find(({ group }) => Number(group) === lag + 1)!;
    const book = bookFrame(carryBook(moved(weights, lag), marks, plan.book), dense.days);
    const { series, traded } = readTraded("carry a portfolio", book);
    const net = netOf(series, traded, rate);
    const { sharpe, sharpeLow, sharpeHigh } = sharpeOf(net, aligned.market.periodsPerYear);
    return { ...ic, lag, oneWayBps: rate, sharpe, sharpeLow, sharpeHigh };
  });
  return tableOfRows(rows, LEAD_LAG_COLUMNS, {});
}

/** Weights as if they had been known so many sessions later, or earlier. */
function moved(weights: Weights, lag: number): Weights {
  const { days, tickers, span, values, signals } = weights;
  const by = <Cells extends Float64Array | Uint8Array>(from: Cells, to: Cells, width: number) => {
    const shift = Math.min(days.length, Math.abs(lag)) * width;
    const cells = lag < 0 ? from.subarray(shift) : from.subarray(0, from.length - shift);
    to.set(cells, lag < 0 ? 0 : shift);
    return to;
  };
  const within = (place: number) => Math.max(0, Math.min(days.length, place + lag));
  return toWeights(
    {
      days,
      tickers,
      ...signals && { signals: by(signals, new Uint8Array(signals.length), 1) },
    },
    [within(span[0]), within(span[1])],
    by(values, new Float64Array(values.length).fill(NaN), tickers.length),
  );
}
