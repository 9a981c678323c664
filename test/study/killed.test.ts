import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KEY } from "../client/_service.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import { startStudyService, type StudyService } from "./_study.ts";

// A hundred take some minutes: SCOREFRAME_KILLS=100.
const KILLS = Number(process.env["SCOREFRAME_KILLS"] ?? 10);
const SEED = Number(process.env["SCOREFRAME_KILL_SEED"] ?? 7);
const PROGRAM = join(import.meta.dirname!, "_recording_process.ts");

let service: StudyService;
beforeEach(async () => {
  service = await startStudyService();
});
afterEach(() => service.close());

/** Runs the program, and kills it after so many milliseconds; whether it came to its end. */
function runFor(args: readonly string[], lifeMs: number | null): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(Deno.execPath(), ["run", "-A", PROGRAM, ...args], { stdio: "pipe" });
    let said = "";
    child.stderr.on("data", (part) => said += String(part));
    const timer = lifeMs === null ? undefined : setTimeout(() => child.kill("SIGKILL"), lifeMs);
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      if (signal === "SIGKILL") resolve(false);
      else if (code === 0) resolve(true);
      else reject(new Error(said));
    });
  });
}

/** Numbers from 0 to 1, the same for the same seed. */
function* chances(seed: number): Generator<number, never, void> {
  for (let state = seed;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

test(
  `runs that are killed ${KILLS} times at random moments lose nothing, and the study is whole`,
  async () => {
    const home = await service.makeFolder();
    const listener = await service.server.listen();
    try {
      const argsOf = (name: string) => [
        join(home, name),
        listener.url,
        KEY,
        join(home, `${name}-cache`),
      ];
      const startMs = performance.now();
      expect(await runFor(argsOf("whole"), null)).toBe(true);
      const wholeMs = performance.now() - startMs;
      const chance = chances(SEED);
      let known = new Set<string>();
      let asOf: string | null = null;
      for (let kill = 0; kill < KILLS; kill++) {
        // Most of a run is its start; the moments lie where it loads.
        await runFor(argsOf("killed"), wholeMs * (0.3 + 0.7 * chance.next().value));
        const read = await readLockFile(join(home, "killed"));
        if (read === null) continue;
        expect([read.broken, read.isNormal]).toEqual([[], true]);
        // The time is decided once, and what a lock had once it keeps.
        asOf ??= read.lock.asOf;
        expect(read.lock.asOf).toBe(asOf);
        const now = new Set(
          [...read.lock.views, ...read.lock.sets, ...read.lock.releases].map((fact) =>
            "at" in fact
              ? `${fact.factor} ${fact.at}`
              : "numbers" in fact
              ? `${fact.factor} ${fact.numbers}`
              : ""
          ),
        );
        expect([...known].filter((fact) => !now.has(fact))).toEqual([]);
        known = now;
        expect((await verifyStudy(join(home, "killed"))).problems).toEqual([]);
      }
      expect(await runFor(argsOf("killed"), null)).toBe(true);
      const [whole, killed] = await Promise.all(
        ["whole", "killed"].map((name) => readLockFile(join(home, name))),
      );
      const { views, sets, releases } = killed!.lock;
      expect([sets, releases]).toEqual([whole!.lock.sets, whole!.lock.releases]);
      expect(views.length).toBe(whole!.lock.views.length);
      expect((await verifyStudy(join(home, "killed"))).problems).toEqual([]);
      // A run over what is there sends nothing.
      const study = await service.openFrozen(join(home, "killed"));
      expect((await study.history("ecqdi")).height).toBe(3);
    } finally {
      await listener.close();
    }
  },
  30_000 + KILLS * 10_000,
);
