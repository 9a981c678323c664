import type { ColumnsOf } from "../frame/typed/column_kind.ts";
import { framed, frameOf } from "../frame/typed/frame_of.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";
import { markSynthetic } from "../frame/provenance/synthetic_lineage.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import type { KnownRelease, KnownSet, KnownStudy } from "./known_study.ts";

/** Columns, in order; `held_out` if tests are registered. */
export const ORIGIN_COLUMNS = {
  factor: "text",
  factor_version: "text",
  universe: "text",
  snapshot_id: "text",
  calculated_at: "instant",
  download_sha256: "text",
  availability: "text",
  row_count: "count",
  held_out: "text",
} as const;
type OriginColumns = ColumnsOf<typeof ORIGIN_COLUMNS>;

interface Row {
  readonly set: KnownSet | null;
  readonly release: KnownRelease | null;
}

/** Provenance of a study: its sets by publication, then its releases. */
export function studyOrigins(
  { lock, heldOut = null }: KnownStudy,
): TableFrame<typeof ORIGIN_COLUMNS> {
  const sets = (lock?.sets ?? []).toSorted((a, b) => {
    const [left, right] = [a, b].map(({ factor, calculatedAt }) => `${factor} ${calculatedAt}`);
    return left! < right! ? -1 : 1;
  });
  const rows: readonly Row[] = [
    ...sets.map((set) => ({ set, release: null })),
    ...(lock?.releases ?? []).map((release) => ({ set: null, release })),
  ];
  const frame = frameOf(ORIGIN_COLUMNS, {
    factor: rows.map(({ set, release }) => (set ?? release)!.factor),
    factor_version: rows.map(({ set, release }) => (set ?? release)!.factorVersion),
    universe: rows.map(({ set, release }) => (set ?? release)!.universe),
    snapshot_id: rows.map(({ set }) => set?.snapshotId ?? null),
    calculated_at: rows.map(({ set }) => set === null ? null : new Date(set.calculatedAt)),
    download_sha256: rows.map(({ release }) => release?.downloadSha256 ?? null),
    availability: rows.map(({ release }) => release?.availability ?? null),
    row_count: Int32Array.from(rows, ({ set, release }) => set?.tickers ?? release?.rows ?? 0),
    held_out: rows.map(() => heldOut === null ? null : heldOutText(heldOut)),
  });
  const shown = heldOut === null ? framed<OriginColumns>(frame.drop("held_out")) : frame;
  return markSynthetic(shown, lock?.synthetic === true ? ["store, synthetic"] : []);
}
