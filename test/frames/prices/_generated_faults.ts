import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { followAdvice } from "../../helpers/follow_advice.ts";
import { type GeneratedFile, generateFile } from "./_generate_files.ts";

/**
 * Reads files of generated vendors and follows the advice of each message literally: files that no advice reads rightly, and how
 * many were read at once.
 */
export async function faultsOf(from: number, to: number) {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-conventions-"));
  const faults: string[] = [];
  let atOnce = 0;
  try {
    for (let seed = from; seed <= to; seed++) {
      const file = generateFile(seed);
      const path = join(folder, "file.csv");
      await writeFile(path, file.text);
      const outcomes = await followAdvice((options) => faultOf(path, file, options))
        .catch((error: Error) => [{ options: {}, result: `! ${error.message}` }]);
      const asked = outcomes.some(({ options }) =>
        Object.keys(options).some((name) => name !== "layout")
      );
      if (!asked) atOnce++;
      // One way has to be right, and an only one is.
      if (outcomes.some(({ result }) => result === "")) continue;
      const ways = outcomes.map(({ options, result }) => `${JSON.stringify(options)} ${result}`);
      faults.push([file.what, ...ways].join("\n  "));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return { faults, atOnce };
}

/** What is wrong with the prices of a file; empty if all is as their columns say. */
async function faultOf(
  path: string,
  file: GeneratedFile,
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { prices } = await readPrices(path, options).withReport();
  const { columns } = prices;
  const rows = prices.toRecords() as unknown as {
    date: Date;
    ticker: string;
    close: number;
    raw?: number;
    adjusted?: string;
  }[];
  const keyed = rows.map((row) => ({
    ...row,
    key: `${row.date.toISOString().slice(0, 10)} ${row.ticker}`,
  }))
    .toSorted((a, b) =>
      a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : a.key < b.key ? -1 : 1
    );
  if (keyed.length !== file.truth.all.size) return "rows";
  const state = (keyed[0]!.adjusted ?? "unknown") as "none" | "splits" | "all" | "unknown";
  const least = state === "all" && file.hasDividends ? "all" : state === "none" ? "none" : "splits";
  const moves = keyed.slice(1).map((row, i) => ({ row, before: keyed[i]! }))
    .filter(({ row, before }) => row.ticker === before.ticker);
  const worst = (name: "none" | "splits" | "all") =>
    Math.max(
      ...moves.map(({ row, before }) =>
        Math.abs(
          Math.log(row.close / before.close) -
            Math.log(file.truth[name].get(row.key)! / file.truth[name].get(before.key)!),
        )
      ),
    );
  const limit = 1e-4;
  const isRight = worst(least) < limit || (state === "splits" && worst("all") < limit) ||
    (state === "unknown" && Math.min(worst("all"), worst("splits")) < limit);
  if (!isRight) {
    return `returns of closes that are said to be ${state} are off by ${worst(least).toFixed(3)}`;
  }
  if (!columns.includes("raw")) return "";
  const off = Math.max(
    ...keyed.map((row) => Math.abs(row.raw! / file.truth.none.get(row.key)! - 1)),
  );
  return off < limit ? "" : `raw is off by ${off.toFixed(2)}`;
}
