import pl, { type DataFrame } from "nodejs-polars";
import { markSynthetic } from "../frame/provenance/synthetic_lineage.ts";
import { heldOutText } from "../wording/sentences/held_out_text.ts";
import type { KnownRelease, KnownSet, KnownStudy } from "./known_study.ts";

interface Row {
  readonly set: KnownSet | null;
  readonly release: KnownRelease | null;
}

/** Origins of a study as provenance: its sets by publication, then its releases. */
export function studyOrigins({ lock, heldOut = null }: KnownStudy): DataFrame {
  const sets = (lock?.sets ?? []).toSorted((a, b) => {
    const [left, right] = [a, b].map(({ factor, calculatedAt }) => `${factor} ${calculatedAt}`);
    return left! < right! ? -1 : 1;
  });
  const rows: readonly Row[] = [
    ...sets.map((set) => ({ set, release: null })),
    ...(lock?.releases ?? []).map((release) => ({ set: null, release })),
  ];
  const text = (name: string, read: (row: Row) => string | null) =>
    pl.Series(name, rows.map(read), pl.Utf8);
  const published = rows.map(({ set }) => set === null ? null : new Date(set.calculatedAt));
  const counts = rows.map(({ set, release }) => set?.tickers ?? release?.rows ?? 0);
  const frame = pl.DataFrame([
    text("factor", ({ set, release }) => (set ?? release)!.factor),
    text("factor_version", ({ set, release }) => (set ?? release)!.factorVersion),
    text("universe", ({ set, release }) => (set ?? release)!.universe),
    text("snapshot_id", ({ set }) => set?.snapshotId ?? null),
    pl.Series("calculated_at", published, pl.Datetime("ms", "UTC")),
    text("download_sha256", ({ release }) => release?.downloadSha256 ?? null),
    text("availability", ({ release }) => release?.availability ?? null),
    pl.Series("row_count", counts, pl.Int32),
    ...(heldOut === null ? [] : [text("held_out", () => heldOutText(heldOut))]),
  ]);
  return markSynthetic(frame, lock?.synthetic === true ? ["store, synthetic"] : []);
}
