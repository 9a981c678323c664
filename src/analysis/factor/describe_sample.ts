import { periodText, sampleText } from "../../base/wording/period_text.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import type { Aligned } from "../aligned/align.ts";
import type { ScoresOrigin } from "./scores_origin.ts";

/** Subject of an analysis and its sample: `ecpnd, release 525334a9…, 501 sessions, 2024-05-02 to 2026-05-01, 67 tickers.` */
export function describeSample(
  { origin, aligned }: { readonly origin: ScoresOrigin; readonly aligned: Aligned },
): string {
  const { dense: { from, to }, tickers, sessions, market } = aligned;
  const sample = sampleText(sessions.slice(from, Math.max(from, to)), tickers);
  const synthetic = origin.isSynthetic ? " Synthetic rows." : "";
  const held = origin.heldOut === undefined ? "" : ` ${heldOutText(origin.heldOut)}`;
  return `${origin.what}, ${periodText(sample, market.unit)}.${held}${synthetic}`;
}
