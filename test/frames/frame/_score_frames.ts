import pl, { type DataFrame } from "nodejs-polars";
import type { ScoreFrameInput } from "../../../src/frames/frame/provenance/origin.ts";
import { toScoreFrame } from "../../../src/frames/frame/score_frame.ts";

/** What differs between two sets of a test. */
export interface SetSpec {
  readonly factor?: "ecpnd" | "ecqdi";
  readonly snapshotId?: string;
  readonly version?: string;
  readonly scores?: Readonly<Record<string, number | null>>;
}

/** A hand-made set: `A` 0.1, `B` null, `C` 0.3, published at 12:00 and checked at 15:00 on 2026-11-20. */
export function setOf(spec: SetSpec = {}): ScoreFrameInput {
  const { factor = "ecpnd", snapshotId = "a", scores = { A: 0.1, B: null, C: 0.3 } } = spec;
  return {
    check: {
      factor,
      factorVersion: spec.version ?? `${factor}-v1`,
      universe: "U",
      snapshotId,
      calculatedAt: "2026-11-20T12:00:00.000Z",
      lastCheckedAt: "2026-11-20T15:00:00.000Z",
      dataThrough: "2026-11-20T14:55:00.000Z",
      status: "current",
      pricesThrough: "2026-11-19",
    },
    rows: { tickers: Object.keys(scores), scores: Object.values(scores) },
  };
}

/** How the sets of these tests came to the machine. */
export const RECEIPT = { source: "live", retrievedAt: "2026-11-20T15:00:01.000Z" } as const;

/** The frame of a hand-made set. */
export function frameOf(spec: SetSpec = {}): DataFrame {
  return toScoreFrame(setOf(spec), RECEIPT);
}

/** A column of text. */
export function textColumn(name: string, values: readonly (string | null)[]) {
  return pl.Series(name, [...values], pl.Utf8);
}
