/**
 * Exports rows of ten years, appends sixty more days to the last one where the table grows, and says what each took:
 * `_export_case.ts FOLDER KIND ROWS`. Kinds: prices, release (ten columns), panel and sets (the columns of live scores).
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { freeFrames } from "../src/base/runtime/free_frames.ts";
import { exportDataset } from "../src/desk/dataset/mod.ts";

const YEARS = 10;
const DAYS = 250;
const MORE = 60;
const text = (value: string) => pl.lit(value).cast(pl.Categorical);
const instant = (column: Expr) => column.cast(pl.Datetime("ms")).dt.replaceTimeZone("UTC");
const ORIGIN = {
  factor: text("ecpnd"),
  factor_version: text("2.1.0"),
  universe: text("us-listed"),
  source: text("synthetic, store"),
  retrieved_at: pl.lit(new Date("2026-11-20T15:00:00Z")).cast(pl.Datetime("ms", "UTC")),
};
const CLOSED = instant(pl.col("date"));
const LIVE = {
  ...ORIGIN,
  snapshot_id: pl.col("date").cast(pl.Utf8),
  calculated_at: CLOSED,
  last_checked_at: CLOSED,
  data_through: CLOSED,
  status: text("current"),
  prices_through: pl.col("date"),
};
const KINDS: Readonly<Record<string, Readonly<Record<string, Expr>>>> = {
  prices: { close: pl.col("value") },
  release: {
    ecpnd_score: pl.col("value"),
    ...ORIGIN,
    download_sha256: text("0123456789abcdef".repeat(4)),
    availability: text("reconstructed"),
  },
  panel: { ecpnd_score: pl.col("value"), at: CLOSED, ...LIVE },
  sets: { ecpnd_score: pl.col("value"), ...LIVE },
};

const [folder, kind, rows] = process.argv.slice(2) as [string, string, string];
const names = Array.from({ length: Number(rows) / YEARS / DAYS }, (_, i) => `T${i}`);
const frame = frameOf(Array.from({ length: YEARS * DAYS }, (_, i) => i));
const more = frameOf(Array.from({ length: MORE }, (_, i) => YEARS * DAYS + i));
const exported = await measure(() => exportDataset(frame, folder, { partial: true }));
const appended = kind === "release"
  ? null
  : await measure(() => exportDataset(more, folder, { append: true }));
process.stdout.write(`${JSON.stringify({ rows: frame.height, exported, appended })}\n`);

function frameOf(places: readonly number[]): DataFrame {
  const days = places.map((place) => {
    const year = Math.min(YEARS - 1, Math.floor(place / DAYS));
    return Date.UTC(2000 + year, 0, 1 + place - year * DAYS) / 86_400_000;
  });
  const length = days.length * names.length;
  const columns = pl.DataFrame([
    pl.Series("date", Int32Array.from(days.flatMap((day) => names.map(() => day)))).cast(pl.Date),
    pl.Series("ticker", days.flatMap(() => names), pl.Utf8).cast(
      kind === "release" ? pl.Categorical : pl.Utf8,
    ),
    pl.Series("value", Float64Array.from({ length }, (_, i) => i % 97 / 97)),
  ]).withColumns(
    ...Object.entries(KINDS[kind]!).map(([name, value]) => value.alias(name)),
  ).drop("value");
  return kind === "sets" ? columns.drop("date") : columns;
}

/** Seconds, and the peak of memory above what was there before. */
async function measure(work: () => Promise<unknown>) {
  // What made the frame is garbage by now.
  freeFrames(Infinity);
  // Begins a new peak.
  writeFileSync("/proc/self/clear_refs", "5");
  const before = megabytes("VmRSS");
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  return { seconds, peakMb: megabytes("VmHWM") - before };
}

function megabytes(name: string): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
