// @heavy: engines in Java and Python
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demo } from "../../../../mod.ts";
import { exportDataset } from "../../../../src/desk/dataset/mod.ts";
import { lacksPython, runPython } from "../../../helpers/python.ts";
import { ROOT } from "../../../helpers/source_files.ts";

type Row = Readonly<Record<string, unknown>>;

const ENGINES = { duckdb: "duckdb", spark: "pyspark", datafusion: "datafusion" } as const;
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2026, 10, 16, 12);
const HOURS = 80;
const LONG_MS = 900_000;

/** Forty instants: on a check to the millisecond, one before it, and anywhere between two. */
const INSTANTS = Array.from({ length: 40 }, (_, i) => {
  const offset = [0, -1, 1, 1_234_567, HOUR_MS - 1][i % 5]!;
  return new Date(FIRST_MS + (1 + (i * 37) % (HOURS - 2)) * HOUR_MS + offset).toISOString();
});

describe.each(["duckdb", "spark", "datafusion"] as const)("SQL as of a time in %s", (engine) => {
  describe.skipIf(lacksPython(ENGINES[engine]))("beside the option at", () => {
    let folder: string;
    let answers: Readonly<Record<string, readonly Row[]>>;
    const asked: DataFrame[] = [];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "scoreframe-as-of-"));
      const api = await demo();
      try {
        // As an archive grows: each hour's check, exported by the day.
        for (let day = 0; day < HOURS; day += 24) {
          const hours: DataFrame[] = [];
          for (let hour = day; hour < Math.min(HOURS, day + 24); hour++) {
            const at = new Date(FIRST_MS + hour * HOUR_MS).toISOString();
            hours.push(await api.scores("ecpnd", { at }));
          }
          await exportDataset(pl.concat(hours), join(folder, "data"), { append: true });
        }
        for (const at of INSTANTS) asked.push(await api.scores("ecpnd", { at }));
      } finally {
        await api.close();
      }
      const script = join(import.meta.dirname!, "../run_sql.py");
      const sql = await sqlFor(INSTANTS, join(folder, "sql"));
      answers = JSON.parse(await runPython(script, engine, join(folder, "data"), sql));
    }, LONG_MS);
    afterAll(() => rm(folder, { recursive: true }));

    test("gives the set, the check and the status of forty instants out of forty", () => {
      const rows = byInstant(answers["status_as_of"]!);
      const same = INSTANTS.filter((at, i) => {
        const ours = asked[i]!.head(1).toRecords()[0]! as Row;
        const theirs = rows.get(at)!;
        expect(theirs.length, at).toBe(1);
        for (const name of ["calculated_at", "last_checked_at", "data_through"]) {
          expect(theirs[0]![name], `${name} at ${at}`).toBe((ours[name] as Date).toISOString());
        }
        return theirs[0]!["snapshot_id"] === ours["snapshot_id"] &&
          theirs[0]!["status"] === ours["status"] &&
          theirs[0]!["prices_through"] ===
            (ours["prices_through"] as Date).toISOString().slice(0, 10);
      });
      expect(same).toEqual(INSTANTS);
      const kinds = new Set([...rows.values()].map(([row]) => row!["status"]));
      expect(kinds.size).toBeGreaterThan(1);
    });

    test("gives every score of those instants", () => {
      const rows = byInstant(answers["scores_as_of"]!);
      for (const [i, at] of INSTANTS.entries()) {
        const ours = asked[i]!.select("ticker", "ecpnd_score").rows();
        const theirs = rows.get(at)!.map(({ ticker, score }) => [ticker, score]);
        expect(new Map(theirs as [string, number | null][]), at).toEqual(new Map(ours as never));
        expect(theirs.length).toBe(60);
      }
    });
  });
});

async function sqlFor(instants: readonly string[], folder: string): Promise<string> {
  await cp(join(ROOT, "docs/beyond-one-machine/sql/as_of"), folder, { recursive: true });
  const path = join(folder, "00_instants.sql");
  const text = await readFile(path, "utf8");
  const values = instants.map((at) => `('${at.replace("T", " ").replace("Z", "")}')`).join(", ");
  const changed = text.replace(/VALUES .*\) AS/, `VALUES ${values}) AS`);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
  return folder;
}

function byInstant(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, (row) => String(row["decided_at"]));
}
