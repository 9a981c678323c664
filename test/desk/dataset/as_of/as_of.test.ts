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

/** An archive that asks once a day is asked for these. */
const HOURLY = Array.from({ length: 72 }, (_, i) => new Date(FIRST_MS + i * HOUR_MS).toISOString());

describe.each(["duckdb", "spark", "datafusion"] as const)("SQL as of a time in %s", (engine) => {
  describe.skipIf(lacksPython(ENGINES[engine]))("beside the option at", () => {
    let folder: string;
    let answers: Readonly<Record<string, readonly Row[]>>;
    const asked: DataFrame[] = [];
    const daily: DataFrame[] = [];
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
        for (const at of HOURLY) daily.push(await api.scores("ecqdi", { at }));
        for (let hour = 5; hour < HOURLY.length; hour += 24) {
          await exportDataset(daily[hour]!, join(folder, "data"), { append: true });
        }
        for (const at of INSTANTS) asked.push(await api.scores("ecpnd", { at }));
      } finally {
        await api.close();
      }
      const script = join(import.meta.dirname!, "../run_sql.py");
      const sql = await sqlFor(join(folder, "sql"));
      answers = JSON.parse(await runPython(script, engine, join(folder, "data"), sql));
    }, LONG_MS);
    afterAll(() => rm(folder, { recursive: true }));

    test("gives the set, the check and the status of forty instants, but for those more than an hour after a check", () => {
      const rows = byInstant(answers["status_as_of"]!);
      const statuses = INSTANTS.map((at, i) => {
        const ours = asked[i]!.head(1).toRecords()[0]! as Row;
        const [theirs, ...others] = rows.get(at)!;
        expect(others, at).toEqual([]);
        const texts = Object.fromEntries(
          Object.entries(ours).map(([name, value]) => [
            name,
            value instanceof Date
              ? value.toISOString().slice(0, name === "prices_through" ? 10 : undefined)
              : value,
          ]),
        );
        const isProved = Date.parse(at) - Date.parse(texts["last_checked_at"] as string) < HOUR_MS;
        for (const name of ["last_checked_at", "data_through", "status", "prices_through"]) {
          expect(theirs![name], `${name} at ${at}`).toBe(isProved ? texts[name] : null);
        }
        for (const name of ["snapshot_id", "calculated_at"]) {
          const told = isProved ? [texts[name]] : [texts[name], null];
          expect(told, `${name} at ${at}`).toContain(theirs![name]);
        }
        return theirs!["status"];
      });
      expect(statuses.filter((status) => status !== null).length).toBeGreaterThan(30);
      expect(new Set(statuses).size).toBeGreaterThan(2);
    });

    test("gives the set and the status of an hourly instant only where an archive with gaps proves them", () => {
      const rows = byInstant(answers["status_as_of"]!, "ecqdi");
      const proved = { sets: 0, statuses: 0 };
      for (const [i, at] of HOURLY.entries()) {
        const ours = daily[i]!.head(1).toRecords()[0]! as Row;
        const [theirs, ...others] = rows.get(at)!;
        expect(others, at).toEqual([]);
        for (const [name, counted] of [["snapshot_id", "sets"], ["status", "statuses"]] as const) {
          expect([null, ours[name]], `${name} at ${at}`).toContain(theirs![name]);
          if (theirs![name] !== null) proved[counted]++;
        }
      }
      expect(proved.statuses).toBe(3);
      expect(proved.sets).toBeGreaterThan(3);
      expect(proved.sets).toBeLessThan(72);
      const scores = byInstant(answers["scores_as_of"]!, "ecqdi");
      const empty = HOURLY.filter((at) => rows.get(at)![0]!["snapshot_id"] === null);
      expect(empty.map((at) => scores.get(at)!.map(({ ticker }) => ticker)))
        .toEqual(empty.map(() => [null]));
    });

    test("gives every score of those instants", () => {
      const rows = byInstant(answers["scores_as_of"]!);
      const proved = INSTANTS.filter((at) => rows.get(at)![0]!["ticker"] !== null);
      expect(proved.length).toBeGreaterThan(30);
      for (const at of proved) {
        const ours = asked[INSTANTS.indexOf(at)]!.select("ticker", "ecpnd_score").rows();
        const theirs = rows.get(at)!.map(({ ticker, score }) => [ticker, score]);
        expect(new Map(theirs as [string, number | null][]), at).toEqual(new Map(ours as never));
        expect(theirs.length).toBe(60);
      }
    });
  });
});

async function sqlFor(folder: string): Promise<string> {
  await cp(join(ROOT, "docs/beyond-one-machine/sql/as_of"), folder, { recursive: true });
  const path = join(folder, "00_instants.sql");
  const text = await readFile(path, "utf8");
  const row = (factor: string) => (at: string) =>
    `('${factor}', '${at.replace("T", " ").replace("Z", "")}')`;
  const values = [...INSTANTS.map(row("ecpnd")), ...HOURLY.map(row("ecqdi"))].join(", ");
  const changed = text.replace("'ecpnd' AS factor", "factor")
    .replace(/VALUES .*\) AS listed \(/, `VALUES ${values}) AS listed (factor, `);
  expect(changed).toContain("listed (factor, at_text)");
  await writeFile(path, changed);
  return folder;
}

function byInstant(rows: readonly Row[], factor = "ecpnd"): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(
    rows.filter((row) => row["factor"] === factor),
    (row) => String(row["decided_at"]),
  );
}
