import process from "node:process";
import { describe, expect, test } from "vitest";
import { demo, NotFoundError, StorageError } from "../../../mod.ts";

// Made in an instant.
const QUICK = { tickers: 24, years: 0.25, hours: 60 };

describe("demo()", () => {
  test("loads synthetic scores from an embedded server and says so in every row", async () => {
    await using api = await demo();
    const scores = await api.scores("ecpnd");
    expect(scores.height).toBeGreaterThan(50);
    expect(new Set(scores.getColumn("source").toArray())).toEqual(new Set(["embedded, synthetic"]));
  });

  test("stands still at the end of its world", async () => {
    await using api = await demo();
    const scores = await api.scores("ecqdi");
    const at = (name: string) =>
      (scores.getColumn(name).toArray()[0] as unknown as Date).toISOString();
    expect(at("last_checked_at")).toBe("2026-11-20T15:00:00.000Z");
    expect(at("retrieved_at")).toBe("2026-11-20T15:00:00.000Z");
  });

  test("has half a year of sets by default: a panel of session closes", async () => {
    await using api = await demo();
    const closes = ["2026-06-01T21:00:00Z", "2026-08-31T21:00:00Z", "2026-11-19T21:00:00Z"];
    const panel = await api.panel(["ecpnd", "ecqdi"], { at: closes, progress: false });
    expect(panel.height).toBeGreaterThan(350);
    await expect(api.scores("ecpnd", { at: "2026-05-30T11:59:59Z" })).rejects.toThrow(
      NotFoundError,
    );
  });

  test("has the size, the span and the end that it is asked for", async () => {
    const end = "2026-07-01T20:30:00Z";
    await using api = await demo({ ...QUICK, end });
    const scores = await api.scores("ecqdi");
    expect(scores.height).toBe(24);
    const times = scores.getColumn("last_checked_at").toArray() as unknown as Date[];
    expect(times[0]!.toISOString()).toBe("2026-07-01T20:00:00.000Z");
  });

  test("says which span it has, and that its clock stands still", async () => {
    await using api = await demo(QUICK);
    const text = String(api);
    expect(text).toMatch(/score sets +2026-11-18 04:00Z to 2026-11-20 15:00Z: 2 session closes/);
    expect(text).toMatch(/clock +stands still at 2026-11-20 15:00Z/);
    await using running = await demo({ ...QUICK, rate: 60 });
    expect(String(running)).toMatch(/clock +60 times real time/);
  });

  test("goes on with hourly checks when its clock runs", async () => {
    // Ten hours a second.
    await using api = await demo({ ...QUICK, rate: 36_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const scores = await api.scores("ecpnd");
    const checkedAt = scores.getColumn("last_checked_at").toArray()[0] as unknown as Date;
    expect(checkedAt.toISOString() > "2026-11-20T17:00:00.000Z").toBe(true);
  });

  test(
    "lets watch() wait by its clock: the next publication comes within hours of it",
    async () => {
      await using api = await demo({ ...QUICK, rate: 36_000 });
      const before = await api.scores("ecpnd");
      const idOf = (frame: typeof before) => frame.getColumn("snapshot_id").get(0);
      for await (const published of api.watch("ecpnd")) {
        expect(idOf(published)).not.toBe(idOf(before));
        expect(published.height).toBe(before.height);
        break;
      }
    },
  );

  test("shows the same numbers each time, and others for another seed", async () => {
    const load = async (seed: number) => {
      await using api = await demo({ ...QUICK, seed });
      return (await api.scores("ecpnd", { provenance: false })).toRecords();
    };
    const first = await load(7);
    expect(await load(7)).toEqual(first);
    expect(await load(8)).not.toEqual(first);
  });

  test.each([
    [{ sizes: "small" }, 'got "sizes"; did you mean size?'],
    [{ folder: 7 }, "expected folder to be text, got 7"],
    [{ seed: "7" }, 'expected seed to be a whole number from 0 to 4,294,967,295, got "7"'],
    [{ rate: -1 }, "expected rate to be a finite number of at least 0, got -1"],
    [null, 'expected an object of options, such as { size: "small" }, got null'],
  ])("refuses the options %j", async (options, message) => {
    await expect(demo(options as never)).rejects.toThrow(message);
  });

  test("says what is required of a folder that cannot be written", async () => {
    const folder = `${import.meta.filename}/in it`;
    const calling = demo({ folder });
    await expect(calling).rejects.toThrow(StorageError);
    await expect(calling).rejects.toThrow(
      `Cannot build a world in ${folder}: expected access to the file system, got "ENOTDIR`,
    );
    await expect(calling).rejects.toThrow("or use another folder");
  });

  test("can be called again and again without a warning of its own", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    const apis = await Promise.all(Array.from({ length: 12 }, () => demo(QUICK)));
    await Promise.all(apis.map((api) => api.close()));
    process.removeListener("warning", note);
    expect(warnings.map(({ message }) => message)).toEqual([]);
  });

  test("lets a notebook send more than 120 requests, although no minute ends", async () => {
    await using api = await demo(QUICK);
    for (let request = 0; request < 130; request++) await api.factors();
    expect((await api.factors()).height).toBe(2);
  });
});
