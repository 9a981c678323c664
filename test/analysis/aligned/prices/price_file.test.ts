import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forwardReturns } from "../../../../src/analysis/mod.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-prices-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("prices of a file, with names of its own, give the returns of the frame, and tickers stay text", async () => {
  const path = join(folder, "prices.csv");
  await writeFile(
    path,
    "day,symbol,first,last\n2026-10-28,1E5,10,11\n2026-10-29,1E5,12,\n2026-10-30,1E5,15,14\n",
  );
  const columns = { date: "day", ticker: "symbol", close: "last", open: "first" };
  const frame = pl.DataFrame({
    date: ["2026-10-28", "2026-10-29", "2026-10-30"],
    ticker: ["1E5", "1E5", "1E5"],
    close: [11, null, 14],
    open: [10, 12, 15],
  });
  for (const price of ["close", "open"] as const) {
    const read = await forwardReturns(path, { periods: [1, 2], price, columns });
    expect(read.data.toRecords()).toEqual(
      forwardReturns(frame, { periods: [1, 2], price }).data.toRecords(),
    );
    expect(read.price).toBe(price);
  }
  const opens = await forwardReturns(path, { periods: [1], price: "open", columns });
  expect(opens.data.getColumn("return_1").toArray()).toEqual([12 / 10 - 1, 15 / 12 - 1, null]);
});

test("a file that is none of prices is refused with what it is", async () => {
  const path = join(folder, "notes.csv");
  await writeFile(path, "date,ticker,close\n2026-10-28,A,-1\n");
  await expect(forwardReturns(path)).rejects.toThrow(/2026-10-28 A: -1/);
  await expect(forwardReturns(join(folder, "absent.csv"))).rejects.toThrow(/absent\.csv/);
});
