import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStudy } from "../../../src/app/demo/open_study.ts";

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "scoreframe-demo-study-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const HERE = { environment: {} };

test("openStudy({ demo: true }) records the synthetic service, and replays without it", async () => {
  const study = await openStudy(join(folder, "a"), {
    demo: { hours: 48, tickers: 5, years: 1 },
    ...HERE,
  });
  const scores = await study.scores("ecpnd");
  expect(study.asOf).toBe("2026-11-20T15:00:00.000Z");
  expect(scores.getColumn("source").get(0)).toContain("synthetic");
  await study.close();
  const frozen = await openStudy(join(folder, "a"), { mode: "frozen", ...HERE });
  expect((await frozen.scores("ecpnd")).height).toBe(scores.height);
  await frozen.close();
  const again = await openStudy(join(folder, "a"), { demo: false, ...HERE });
  expect((await again.scores("ecpnd")).height).toBe(scores.height);
  await again.close();
});

test("openStudy() refuses another demo, and still names options that it does not have", async () => {
  await expect(openStudy(folder, { demo: "small" as never })).rejects.toThrow(
    /demo .*\{ seed: 7 \}, got "small"/,
  );
  await expect(openStudy(folder, { modus: "auto" } as never)).rejects.toThrow('got "modus"');
  await expect(openStudy(folder, "frozen" as never)).rejects.toThrow('got "frozen"');
});
