import type { Aligned } from "../aligned/aligned.ts";
import { shiftedIcMeans } from "../cross_section/correlation/shifted_ic.ts";
import { sortOrders } from "../cross_section/correlation/sort_orders.ts";
import { returnsOf } from "../dense/returns_of.ts";
import { sideOrders } from "../dense/order/side_orders.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { halfLife } from "../series/half_life.ts";
import { informationSummary } from "../series/information_summary.ts";
import { type NoiseControl, noiseShifts } from "../series/noise_control.ts";
import { stability } from "../series/stability.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import type { SessionTables } from "./session_tables.ts";
import { takeSteps, type Walk } from "./take_steps.ts";

/** What the questions of an analysis are asked with. */
export interface AskContext {
  /** What is asked. */
  readonly plan: AnalysisPlan;
  /** Where tests are entered. */
  readonly ledger: Ledger;
  /** What was analysed, in words: how the ledger tells factors apart. */
  readonly of: string;
  /** Who is told how far it is, and who may stop it. */
  readonly walk: Walk;
}

/** Is there a relation, how sure, how fast does it fade, is it the same in every year. */
export async function askRelation(
  { sessions, ic, oneSession, decay }: SessionTables,
  { ledger, of, walk, noise }: AskContext & { readonly noise: NoiseControl | null },
) {
  const control = noise === null ? {} : { noise };
  const [summary, decayMeans, fading, years] = await takeSteps(walk, "tests", [
    () => informationSummary(ic, { oneSession, sessions, ledger, of, ...control }),
    () => informationSummary(decay, { sessions }).table,
    () => halfLife(decay),
    () => stability(ic, { sessions }),
  ]);
  return { ic, summary, decay, decayMeans, halfLife: fading, stability: years };
}

/** The mean ICs of shifted scores, which need all sessions at once; `null` if none are asked for. */
export async function measureNoise(
  { dense, periods }: Pick<Aligned, "dense" | "periods">,
  { noise }: AnalysisPlan,
  walk: Walk,
): Promise<NoiseControl | null> {
  if (noise === null) return null;
  const shifts = noiseShifts(dense.to - dense.from, noise);
  if (shifts.length === 0) return null;
  const orders = sideOrders(dense);
  const ordersOf = (values: Float64Array) =>
    orders.get(values) ?? sortOrders(values, dense.tickers.length);
  const sides = {
    scores: ordersOf(dense.scores),
    returns: periods.map((h) => ordersOf(returnsOf("shift scores", dense, h))),
  };
  const { steps, means } = shiftedIcMeans(dense, sides, { shifts });
  await takeSteps(walk, "noise control", steps);
  return { shifts, means: means() };
}
