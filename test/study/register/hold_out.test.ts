import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analyzeFactor, judgement } from "../../../src/analysis/mod.ts";
import { icChart } from "../../../src/report/chart/mod.ts";
import { exportDataset, openDataset } from "../../../src/desk/dataset/mod.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { provenance } from "../../../src/frames/vintage/provenance.ts";
import { formatFrame } from "../../../src/frames/notebook/frame/frame_bundle.ts";
import { PLAN, startRegistered } from "./_registered.ts";

const HELD = "78 sessions held out (from 2026-08-03 on).";
const QUIET = { progress: false } as const;
const ASKED = { ...QUIET, periods: [1, 5] } as const;

let service: Awaited<ReturnType<typeof startRegistered>>;
beforeAll(async () => {
  service = await startRegistered();
});
afterAll(() => service.close());

function lastDay(frame: DataFrame): string {
  const days = frame.getColumn("date").unique().sort().toArray() as unknown as Date[];
  return days.at(-1)!.toISOString().slice(0, 10);
}

test("register() writes the plan and its hash, dated by the service's clock, once", async () => {
  const folder = await service.makeFolder("written");
  const study = await service.open(folder);
  const entry = await study.register(PLAN);
  expect(entry).toMatchObject({
    at: "2026-11-20T15:00:00.000Z",
    name: "main",
    loadedBefore: 0,
    looksBefore: 0,
    before: [],
    plan: {
      horizons: [1, 5],
      scores: "history",
      minNames: 10,
      universe: null,
      periods: { "in-sample": { from: null, to: null } },
      holdOutFrom: "2026-08-03",
    },
  });
  expect(await readFile(join(folder, "study.lock.json"), "utf8")).toContain(
    `"hold_out_from":"2026-08-03","loaded_before":0,"looks_before":0,"before":null,"sha256":"${entry.sha256}"}`,
  );
  const sent = service.requests();
  expect(await study.register(PLAN)).toEqual(entry);
  expect(service.requests()).toBe(sent);
  await expect(study.register({ ...PLAN, horizons: [1] })).rejects.toThrow(
    "expected the plan that was registered at 2026-11-20T15:00:00.000Z, got another horizons",
  );
  await expect((await service.openFrozen(folder)).register({ ...PLAN, name: "b" })).rejects
    .toThrow("the frozen study");
});

test("a plan is refused that is no plan", async () => {
  const study = await service.open(await service.makeFolder("refused"));
  const wrong = (more: object) => study.register({ ...PLAN, ...more } as typeof PLAN);
  await expect(wrong({ question: " " })).rejects.toThrow(/expected question/);
  await expect(wrong({ horizons: [] })).rejects.toThrow("expected horizons to");
  await expect(wrong({ holdOut: { from: "soon" } })).rejects.toThrow('holdOut: expected "from"');
  await expect(wrong({ periods: { late: { from: "2026-08-03" } } })).rejects.toThrow(
    "expected periods.late to end before the hold-out from 2026-08-03",
  );
  await expect(wrong({ scores: "panel" })).rejects.toThrow("panel has a");
  await expect(wrong({ universe: [] })).rejects.toThrow("expected universe to");
  await expect(wrong({ prices: "no.csv" })).rejects.toThrow("no such file");
});

test("verbs, prices and statistics leave held-out sessions out and say so", async () => {
  const folder = await service.makeFolder("left-out");
  const study = await service.open(folder);
  await study.register(PLAN);
  const history = await study.history("ecpnd", QUIET);
  expect([history.height, lastDay(history)]).toEqual([5751, "2026-07-31"]);
  expect(formatFrame(history)).toContain("· 78 sessions held out (from 2026-08-03 on)\n");
  const lazy = await study.history("ecpnd", { ...QUIET, lazy: true });
  expect((await lazy.collect()).height).toBe(5751);
  const prices = await readPrices(join(folder, "closes.csv"));
  expect(lastDay(prices)).toBe("2026-07-31");

  // What the frame comes from stays known when columns are selected, rows filtered and frames joined.
  const scores = history.select("date", "ticker", "ecpnd_score").filter(
    pl.col("ticker").neq(pl.lit("-")),
  );
  const analysis = await analyzeFactor(scores, prices, ASKED);
  expect(analysis.origin.heldOut).toEqual({
    from: "2026-08-03",
    sessions: 78,
    looks: 0,
    isOpen: false,
  });
  expect(analysis.text.split("\n")[0]).toContain(HELD);
  expect(String(analysis.aligned.loss)).toContain(HELD);
  expect(judgement(analysis).text.replaceAll(/\s+/g, " ")).toContain(HELD);
  expect(JSON.stringify(icChart(analysis).spec)).toContain("78 sessions held out");
  expect(analysis.aligned.sessions.at(-1)).toBe("2026-07-31");
  const stacked = await analyzeFactor(
    pl.concat([scores.head(3000), scores.slice(3000, 9000)]),
    prices,
    ASKED,
  );
  expect(stacked.text).toContain(HELD);
});

test("a log of a dataset with a hold-out that is none is refused", async () => {
  const folder = await service.makeFolder("forged");
  const study = await service.open(folder);
  await study.register(PLAN);
  const path = join(folder, "dataset");
  await exportDataset(await study.history("ecpnd", QUIET), path, { partial: true });
  const log = join(path, "scores/_delta_log/00000000000000000000.json");
  const text = await readFile(log, "utf8");
  for (const forged of [`\\"sessions\\":-1`, `\\"sessions\\":\\"78\\"`, `\\"sessions\\":null`]) {
    await writeFile(log, text.replaceAll(`\\"sessions\\":78`, forged));
    await expect(openDataset(path)).rejects.toThrow(/heldOut\.sessions of /);
  }
});

test("verbs refuse to be talked into held-out sessions, and default to the last instant before", async () => {
  const study = await service.open(await service.makeFolder("talked"));
  const before = await study.scores("ecpnd");
  const [snapshotId] = before.getColumn("snapshot_id").toArray() as string[];
  const entry = await study.register({ ...PLAN, holdOut: { from: "2026-11-19" } });
  // What had been loaded when the test was registered is part of its entry.
  expect(entry.loadedBefore).toBe(1);
  const held = "expected data known before the hold-out opens, by 2026-11-19T14:29:59.999Z";
  const at = "2026-11-19T14:30:00Z";
  await expect(study.scores("ecpnd", { at })).rejects.toThrow(held);
  await expect(study.scores("ecpnd", { snapshotId: snapshotId! })).rejects.toThrow(held);
  await expect(study.panel("ecpnd", { at: ["2026-11-18T21:00:00Z", at] })).rejects.toThrow(held);
  await expect(
    study.panel("ecpnd", { sessions: { from: "2026-11-18", to: "2026-11-19" } }),
  ).rejects.toThrow(held);
  await expect(study.publications("ecpnd", { from: "2026-11-18T22:00:00Z", to: at })).rejects
    .toThrow(held);
  await expect(study.plan({ verb: "scores", factor: "ecpnd", options: { at } })).rejects
    .toThrow(held);

  const last = await study.scores("ecpnd");
  const published = last.getColumn("calculated_at").toArray() as unknown as Date[];
  expect(published[0]!.toISOString() < "2026-11-19T14:30:00.000Z").toBe(true);
  const sets = await study.publications("ecpnd", { from: "2026-11-19T00:00:00Z" });
  const times = sets.getColumn("calculated_at").toArray() as unknown as Date[];
  expect(times.every((time) => time.toISOString() < "2026-11-19T14:30:00.000Z")).toBe(true);
  const { folder } = study;
  const { partitions } = await exportDataset(study, join(folder, "tables"));
  const dataset = await openDataset(join(folder, "tables"));
  const views = await dataset.read(partitions.find(({ table }) => table === "views")!);
  expect(
    (views.getColumn("decided_at").toArray() as unknown as Date[]).every((time) =>
      time.toISOString() < "2026-11-19T14:30:00.000Z"
    ),
  ).toBe(true);
});

test("openHoldOut() runs the plan on the hold-out, writes it beside the in-sample one, and opens", async () => {
  const folder = await service.makeFolder("opened");
  const study = await service.open(folder);
  await study.register({
    ...PLAN,
    periods: { spring: { from: "2026-02-02", to: "2026-05-29" }, all: {} },
  });
  const first = await study.openHoldOut("main");
  const rows = first.table.toRecords();
  expect(rows.map(({ sample, horizon, sessions }) => [sample, horizon, sessions])).toEqual([
    ["spring", 1, 82],
    ["spring", 5, 82],
    ["all", 1, 184],
    ["all", 5, 180],
    ["hold-out", 1, 64],
    ["hold-out", 5, 64],
  ]);
  expect(first.text).toContain("looked at once.");

  // The same numbers by hand, from frames that are cut here.
  const history = await study.history("ecpnd", QUIET);
  expect(history.height).toBe(7668);
  const prices = await readPrices(join(folder, "closes.csv"));
  expect(lastDay(prices) > "2026-11-01").toBe(true);
  const from = pl.lit(new Date("2026-08-03T00:00:00Z")).cast(pl.Date);
  const held = await analyzeFactor(history.filter(pl.col("date").gtEq(from)), prices, ASKED);
  const seen = await analyzeFactor(
    history.filter(pl.col("date").lt(from)),
    prices.filter(pl.col("date").lt(from)),
    ASKED,
  );
  const meansOf = ({ summary }: typeof held) => summary.table.getColumn("mean").toArray();
  expect(rows.slice(4).map((row) => row.mean_ic)).toEqual(meansOf(held));
  expect(rows.slice(2, 4).map((row) => row.mean_ic)).toEqual(meansOf(seen));
  expect(held.text).toContain("The hold-out was looked at once (sessions from 2026-08-03 on).");

  expect(study.methods()).toContain('The test "main" ("Does ecpnd rank returns?"; ');
  expect(study.methods()).toContain("no data of");
  expect(study.methods()).toContain("at once; first result: hold-out, 1 ");
  expect(String(study)).toContain("2026-08-03, 78 sessions, looked");
  expect(provenance(study).getColumn("held_out").toArray()).toEqual([
    "The hold-out was looked at once (sessions from 2026-08-03 on).",
  ]);

  // A second look is counted, and each judgement says so, also in a study that opened nothing.
  expect((await study.openHoldOut("main")).looks).toBe(2);
  const other = await service.open(folder);
  const cut = await other.history("ecpnd", QUIET);
  expect(cut.height).toBe(5751);
  const analysis = await analyzeFactor(cut, seenPrices(folder), ASKED);
  expect(judgement(analysis).text.replaceAll(/\s+/g, " ")).toContain(
    `${HELD} The hold-out was looked`,
  );
  const later = await study.register({ ...PLAN, name: "later" });
  expect(later.looksBefore).toBe(2);
  expect(await verifyStudy(folder)).toMatchObject({ problems: [] });
});

function seenPrices(folder: string): DataFrame {
  const prices = pl.readCSV(join(folder, "closes.csv"), { dtypes: { ticker: pl.Utf8 } } as never);
  return prices.filter(pl.col("date").cast(pl.Utf8).lt(pl.lit("2026-08-03")));
}

test("a frozen study replays the look: same numbers, nothing counted, nothing sent", async () => {
  const folder = await service.makeFolder("replayed");
  const study = await service.open(folder);
  await study.register(PLAN);
  const cut = await study.history("ecpnd", QUIET);
  const result = await study.openHoldOut("main");
  const lock = await readFile(join(folder, "study.lock.json"), "utf8");
  const frozen = await service.openFrozen(folder);
  await frozen.register(PLAN);
  expect((await frozen.history("ecpnd", QUIET)).height).toBe(cut.height);
  const again = await frozen.openHoldOut("main");
  expect(again.text).toBe(result.text);
  expect(again.table.frameEqual(result.table)).toBe(true);
  expect((await frozen.history("ecpnd", QUIET)).height).toBe(7668);
  expect(await readFile(join(folder, "study.lock.json"), "utf8")).toBe(lock);
  await expect(frozen.openHoldOut("other")).rejects.toThrow("a registered test");
});

test("a hold-out in the future begins when the study moves there", async () => {
  const folder = await service.makeFolder("future");
  const study = await service.open(folder, { asOf: "2026-11-18T22:00:00Z" });
  await study.register({
    ...PLAN,
    scores: "panel",
    periods: { recent: { from: "2026-11-18" } },
    holdOut: { from: "2026-11-19" },
    minNames: 5,
  });
  expect(study.heldOut).toMatchObject({ sessions: 0, isOpen: false });
  expect((await study.scores("ecpnd")).height).toBeGreaterThan(0);
  expect(study.methods()).toContain("(0 sessions so far)");
  await expect(study.openHoldOut("main")).rejects.toThrow(
    "expected a session from 2026-11-19 on that closed by the study's time, got 2026-11-18T22:00:00.000Z",
  );
  expect(study.lock!.registered).toHaveLength(1);
  const moved = await service.open(folder, { mode: "update", asOf: "2026-11-20T14:00:00Z" });
  const scores = await moved.scores("ecpnd");
  const published = scores.getColumn("calculated_at").toArray() as unknown as Date[];
  expect(published[0]!.toISOString() < "2026-11-19T14:30:00.000Z").toBe(true);
  expect(moved.heldOut).toMatchObject({ from: "2026-11-19", sessions: 1 });
});

test("openHoldOut() runs a plan on the sets in force at the closes of its sessions", async () => {
  const live = await startRegistered({ hours: 14 * 24 });
  try {
    const folder = await live.makeFolder("panel");
    const study = await live.open(folder);
    const sessions = { from: "2026-11-10", to: "2026-11-19" };
    await study.register({
      ...PLAN,
      ...{ scores: "panel", horizons: [1], minNames: 5 },
      periods: { recent: { from: "2026-11-10" } },
      holdOut: { from: "2026-11-17" },
    });
    await expect(study.panel("ecpnd", { sessions })).rejects.toThrow("before the hold-out opens");
    const opened = await study.openHoldOut("main");
    expect(opened.looks).toBe(1);

    // The same numbers by hand, from a panel that is cut here.
    const panel = await study.panel("ecpnd", { sessions });
    const prices = pl.readCSV(join(folder, "closes.csv"), { dtypes: { ticker: pl.Utf8 } } as never);
    const cut = async (of: { readonly from: string; readonly to: string }, before: string) => {
      const day = pl.col("at").cast(pl.Date);
      const date = (text: string) => pl.lit(new Date(`${text}T00:00:00Z`)).cast(pl.Date);
      const own = panel.filter(day.gtEq(date(of.from)).and(day.ltEq(date(of.to))));
      const known = prices.filter(pl.col("date").cast(pl.Utf8).lt(pl.lit(before)));
      const { summary } = await analyzeFactor(own, known, {
        ...{ periods: [1], minNames: 5, lags: [1], progress: false },
      });
      const [row] = summary.table.toRecords();
      return [row!["sessions"], row!["mean"]];
    };
    const found = opened.table.toRecords().map((row) => [row["sessions"], row["mean_ic"]]);
    expect(found.map(([sessions]) => sessions)).toEqual([3, 1]);
    expect(found).toEqual([
      await cut({ from: "2026-11-10", to: "2026-11-16" }, "2026-11-17"),
      await cut({ from: "2026-11-17", to: "2026-11-19" }, "2027-01-01"),
    ]);
    expect(opened.table.getColumn("sample").toArray()).toEqual(["recent", "hold-out"]);
    const frozen = await live.openFrozen(folder);
    expect((await frozen.openHoldOut("main")).text).toBe(opened.text);
  } finally {
    await live.close();
  }
});
