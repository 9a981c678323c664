import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { trialLog } from "../../src/analysis/trial_log.ts";

let parent: string;
let number = 0;
const now = () => Date.UTC(2026, 10, 21, 12);
const test1 = { what: "mean IC", options: { horizon: 1 }, n: 250, t: 2.6, p: 0.01 };
const test5 = { what: "mean IC", options: { horizon: 5 }, n: 246, t: 2.1, p: 0.04 };
const without = { what: "mean IC", options: { horizon: 21 }, n: 143, t: null, p: null };

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "scoreframe-trialLog-"));
});
afterAll(() => rm(parent, { recursive: true }));

function newFolder(): string {
  return join(parent, `study-${number++}`);
}

describe("a trial log", () => {
  test("adds adjusted p values, which count tests that have a p value", () => {
    const tried = trialLog(undefined, { now });
    for (const entry of [test1, test5, without]) tried.enter(entry);
    expect(tried.table().toRecords()).toEqual([
      {
        first_at: "2026-11-21T12:00:00.000Z",
        what: "mean IC",
        of: null,
        options: '{"horizon":1}',
        n: 250,
        t: 2.6,
        p: 0.01,
        p_adjusted: 0.02,
        times: 1,
      },
      expect.objectContaining({ p: 0.04, p_adjusted: 0.04 }),
      expect.objectContaining({ t: null, p: null, p_adjusted: null }),
    ]);
    expect(tried.table("bonferroni").getColumn("p_adjusted").toArray()).toEqual([0.02, 0.08, null]);
    expect(tried.text).toBe(
      "The trial log has 3 tests, 2 with a p value; the smallest p value is 0.01 (0.02 adjusted by Holm's method).",
    );
  });

  test("says whose values a test was of, in a column of its own", () => {
    const tried = trialLog(undefined, { now });
    for (const factor of ["ecpnd", "ecqdi"]) {
      tried.enter({ ...test1, options: { horizon: 1, of: factor } });
    }
    expect(tried.table().select("of", "options").rows()).toEqual([
      ["ecpnd", '{"horizon":1}'],
      ["ecqdi", '{"horizon":1}'],
    ]);
  });

  test("writes tiny p values as below 0.0001", () => {
    const tried = trialLog();
    tried.enter({ ...test1, p: 0.00003 });
    tried.enter({ ...test5, p: 0.00007 });
    expect(tried.text).toBe(
      "The trial log has 2 tests; the smallest p value is below 0.0001 (below 0.0001 adjusted by Holm's method).",
    );
  });

  test("counts a variant once however often its cell is run", () => {
    const tried = trialLog();
    for (let run = 0; run < 3; run++) tried.enter(test1);
    tried.enter({ ...test1, options: { horizon: 1, winsorize: 0.01 } });
    tried.enter({ ...test1, n: 251 });
    expect(tried.count).toBe(3);
    expect(tried.variants()[0]!.times).toBe(3);
  });

  test("takes options in another order as the same options", () => {
    const tried = trialLog();
    tried.enter({ ...test1, options: { a: { c: 1, b: [2] }, d: 3 } });
    tried.enter({ ...test1, options: { d: 3, a: { b: [2], c: 1 } } });
    expect(tried.count).toBe(1);
  });

  test("tells options apart that are dates", () => {
    const tried = trialLog();
    for (const day of ["2026-01-05", "2026-01-06"]) {
      tried.enter({ what: "mean IC", options: { from: new Date(day) }, n: 30, t: 1, p: 0.3 });
    }
    expect(tried.count).toBe(2);
  });

  test("says so when nothing was tried, and when nothing has a p value", () => {
    const tried = trialLog();
    expect(tried.text).toBe("The trial log is empty.");
    tried.enter(without);
    expect(tried.text).toBe("The trial log has 1 test and no p value.");
    expect(trialLog().table().height).toBe(0);
  });

  test("refuses what is no test", () => {
    const tried = trialLog();
    expect(() => tried.enter({ ...test1, p: 1.5 })).toThrow(RangeError);
    expect(() => tried.enter({ ...test1, t: NaN })).toThrow(RangeError);
    expect(() => tried.enter({ ...test1, n: -1 })).toThrow(RangeError);
    expect(() => tried.enter({ ...test1, note: "x" } as never)).toThrow(/note/);
    expect(tried.count).toBe(0);
    expect(() => trialLog("")).toThrow(TypeError);
  });
});

describe("a trial log in a folder", () => {
  test("is there again after the kernel ended, one line per test", async () => {
    const folder = newFolder();
    trialLog(folder, { now }).enter(test1);
    trialLog(folder, { now }).enter(test5);
    expect(trialLog(folder).count).toBe(2);
    expect(await readFile(join(folder, "trial_log.jsonl"), "utf8")).toBe(
      '{"at":"2026-11-21T12:00:00.000Z","what":"mean IC","options":{"horizon":1},"n":250,"t":2.6,' +
        '"p":0.01,"number":1,"chain":"519ac5c51b4aa4fb"}\n' +
        '{"at":"2026-11-21T12:00:00.000Z","what":"mean IC","options":{"horizon":5},"n":246,"t":2.1,' +
        '"p":0.04,"number":2,"chain":"f7b8433d9dbe8da2"}\n',
    );
  });

  test("sees what another notebook enters", () => {
    const folder = newFolder();
    const [one, other] = [trialLog(folder), trialLog(folder)];
    one.enter(test1);
    other.enter(test5);
    expect(one.count).toBe(2);
  });

  test("loses nothing after a line that was cut off", async () => {
    const folder = newFolder();
    trialLog(folder).enter(test1);
    await appendFile(join(folder, "trial_log.jsonl"), '{"at":"2026-11-21T12:00:00.000Z","wh');
    trialLog(folder).enter(test5);
    const again = trialLog(folder);
    expect(again.variants().map(({ options }) => options)).toEqual([
      { horizon: 1 },
      { horizon: 5 },
    ]);
    expect(again.unreadable).toBe(1);
  });

  test("counts a line of JSON that is no test as one that cannot be read", async () => {
    const folder = newFolder();
    trialLog(folder).enter(test1);
    await appendFile(join(folder, "trial_log.jsonl"), "null\n7\n[]\n");
    const again = trialLog(folder);
    expect([again.count, again.unreadable]).toEqual([1, 3]);
  });

  const without = async (folder: string, ...numbers: readonly number[]) => {
    const path = join(folder, "trial_log.jsonl");
    const lines = (await readFile(path, "utf8")).trim().split("\n");
    const kept = lines.filter((_, i) => !numbers.includes(i + 1));
    await writeFile(path, kept.map((line) => `${line}\n`).join(""));
    return trialLog(folder);
  };
  const tenTests = () => {
    const folder = newFolder();
    const tried = trialLog(folder, { now });
    for (let i = 1; i <= 10; i++) tried.enter({ ...test1, options: { i } });
    expect([tried.problems, tried.count]).toEqual([[], 10]);
    return { folder, tried };
  };

  test.each([1, 2, 5, 9])("names test %d if it was removed", async (number) => {
    const tried = await without(tenTests().folder, number);
    expect(tried.problems).toEqual([`Test ${number} is missing from the trial log.`]);
    expect(tried.text).toContain(`Test ${number} is missing`);
  });

  test("names several, and tells of the last one by its end", async () => {
    const { folder, tried } = tenTests();
    const { end } = tried;
    expect(end).toMatch(/^10:[\da-f]{16}$/);
    expect((await without(folder, 3, 4, 8)).problems).toEqual([
      "Tests 3 to 4 are missing from the trial log.",
      "Test 8 is missing from the trial log.",
    ]);
    const other = await without(tenTests().folder, 10);
    expect([other.problems, other.end === end]).toEqual([[], false]);
  });

  test("names a test that was changed", async () => {
    const { folder } = tenTests();
    const path = join(folder, "trial_log.jsonl");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('{"i":6},"n":250', '{"i":6},"n":251'));
    expect(trialLog(folder).problems).toEqual(["Test 6 of the trial log was changed."]);
  });

  test("is the exact union of others, and stays so if they are united again", () => {
    const times = [3, 1, 2].map((second) => () => Date.parse("2026-11-21T12:00:00Z") + second);
    const others = times.map((clock, i) => {
      const other = trialLog(newFolder(), { now: clock });
      other.enter({ ...test1, options: { variant: i } });
      other.enter(test5);
      return other;
    });
    const folder = newFolder();
    const all = trialLog(folder);
    expect(all.unite(others)).toBe(6);
    expect(all.unite(others)).toBe(0);
    expect(all.variants().map(({ options, times }) => [options, times])).toEqual([
      [{ variant: 1 }, 1],
      [{ horizon: 5 }, 3],
      [{ variant: 2 }, 1],
      [{ variant: 0 }, 1],
    ]);
    expect(trialLog(folder).problems).toEqual([]);
  });
});
