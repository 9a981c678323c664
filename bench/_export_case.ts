/**
 * Exports prices of a size to a folder, appends sixty more days to its last year, and says what each took:
 * `_export_case.ts FOLDER TICKERS YEARS`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import pl, { type DataFrame } from "nodejs-polars";
import { exportDataset } from "../src/desk/dataset/mod.ts";

const [folder, tickers, years] = process.argv.slice(2) as [string, string, string];
const names = Array.from({ length: Number(tickers) }, (_, i) => `T${i}`);
const DAYS = 250;

const frame = pricesOf(
  Array.from(
    { length: DAYS * Number(years) },
    (_, i) => dayOf(2000 + Math.floor(i / DAYS), i % DAYS),
  ),
);
const more = pricesOf(Array.from({ length: 60 }, (_, i) => dayOf(1999 + Number(years), DAYS + i)));
const exported = await measure(() => exportDataset(frame, folder));
const appended = await measure(() => exportDataset(more, folder, { append: true }));
process.stdout.write(`${JSON.stringify({ rows: frame.height, exported, appended })}\n`);

function dayOf(year: number, place: number): number {
  return Date.UTC(year, 0, 1 + place) / 86_400_000;
}

function pricesOf(days: readonly number[]): DataFrame {
  const length = days.length * names.length;
  return pl.DataFrame([
    pl.Series("date", Int32Array.from(days.flatMap((day) => names.map(() => day)))).cast(pl.Date),
    pl.Series("ticker", days.flatMap(() => names), pl.Utf8),
    pl.Series("close", Float64Array.from({ length }, (_, i) => 1 + i % 97)),
  ]);
}

/** Seconds, and the peak of memory above what was there before. */
async function measure(work: () => Promise<unknown>) {
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
