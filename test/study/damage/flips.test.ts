// @heavy: many kills
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportDataset } from "../../../src/desk/dataset/export_dataset.ts";
import { recordStudy } from "../_recording.ts";
import { startStudyService, type StudyService } from "../_study.ts";

// Thousands take some minutes: SCOREFRAME_FLIPS=1000 for each kind, SCOREFRAME_FLIP_SEED for others.
const FLIPS = Number(process.env["SCOREFRAME_FLIPS"] ?? 50);
const SEED = Number(process.env["SCOREFRAME_FLIP_SEED"] ?? 7);
const PROGRAM = join(import.meta.dirname!, "_flip_process.ts");

let service: StudyService;
let home: string;
beforeAll(async () => {
  service = await startStudyService();
  home = await service.makeFolder();
  const study = await service.open(join(home, "study"));
  await recordStudy(study);
  for (const factor of ["ecpnd", "ecqdi"] as const) {
    await study.history(factor, { lazy: true, progress: false } as never);
  }
  await study.close();
  await mkdir(join(home, "dataset"));
  const days = Array.from({ length: 8 }, (_, i) => `2026-0${1 + i}-02`);
  const prices = pl.DataFrame({
    date: days,
    ticker: days.map((_, i) => i % 2 === 0 ? "NA" : "AAA"),
    close: days.map((_, i) => 100 + i),
  });
  await exportDataset(prices, join(home, "dataset"));
});
afterAll(() => service.close());

test.concurrent.each([
  ["store", "study"],
  ["release", "study"],
  ["study", "study"],
  ["dataset", "dataset"],
])(
  `a bit that changed in a %s gives the same rows or an error of this library, ${FLIPS} times, and the process lives`,
  async (kind, source) => {
    const folder = join(home, "flipped", kind);
    await mkdir(dirname(folder), { recursive: true });
    await cp(join(home, source), folder, { recursive: true });
    const args = ["run", "-A", PROGRAM, kind, folder, String(FLIPS), String(SEED)];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    const said = lines.map((line) => JSON.parse(line || "{}"));
    expect(said.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
    const { found } = said.at(-1);
    expect(found, `ended at ${lines.at(-1)}: ${new TextDecoder().decode(stderr)}`).toBeDefined();
    expect(found.same + found.refused).toBe(FLIPS);
    process.stdout.write(
      `${kind}: ${FLIPS} bits, ${found.refused} refused, ${found.same} harmless\n`,
    );
  },
  60_000 + FLIPS * 4_000,
);
