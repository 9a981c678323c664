/** Exports prices of a size to a folder, and says what it took: `_export_case.ts FOLDER TICKERS YEARS`. */
import { readFileSync } from "node:fs";
import process from "node:process";
import pl from "nodejs-polars";
import { exportDataset } from "../src/dataset/mod.ts";

const [folder, tickers, years] = process.argv.slice(2) as [string, string, string];
const names = Array.from({ length: Number(tickers) }, (_, i) => `T${i}`);
const days = Array.from({ length: 250 * Number(years) }, (_, i) => {
  const year = 2000 + Math.floor(i / 250);
  return Date.UTC(year, 0, 1 + (i % 250)) / 86_400_000;
});
const frame = pl.DataFrame([
  pl.Series("date", Int32Array.from(days.flatMap((day) => names.map(() => day)))).cast(pl.Date),
  pl.Series("ticker", days.flatMap(() => names), pl.Utf8),
  pl.Series(
    "close",
    Float64Array.from({ length: days.length * names.length }, (_, i) => 1 + i % 97),
  ),
]);
const peakMb = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
const nowMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
const before = { peak: peakMb(), now: nowMb() };
const started = performance.now();
const { written } = await exportDataset(frame, folder);
const result = {
  rows: frame.height,
  written,
  before,
  peakMb: peakMb(),
  nowMb: nowMb(),
  seconds: (performance.now() - started) / 1000,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
