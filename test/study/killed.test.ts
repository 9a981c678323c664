import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KEY } from "../client/_service.ts";
import type { StudyLock } from "../../src/study/lock/lock.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import { answeredBy, listenNoting, type NotingListener } from "./_spending.ts";
import { startStudyService, type StudyService } from "./_study.ts";

// A hundred take some minutes: SCOREFRAME_KILLS=100.
const KILLS = Number(process.env["SCOREFRAME_KILLS"] ?? 10);
const SEED = Number(process.env["SCOREFRAME_KILL_SEED"] ?? 7);
const PROGRAM = join(import.meta.dirname!, "_recording_process.ts");

let service: StudyService;
let listener: NotingListener;
let home: string;
beforeEach(async () => {
  service = await startStudyService();
  listener = listenNoting(service);
  home = await service.makeFolder();
});
afterEach(async () => {
  await listener.close();
  await service.close();
});

/** Runs the program over a study, and kills it after so many milliseconds; whether it came to its end. */
function runFor(name: string, lifeMs: number | null): Promise<boolean> {
  const args = [join(home, name), listener.url, KEY, join(home, `${name}-cache`)];
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

/** What names each fact of a lock. */
function factsOf({ views, sets, releases }: StudyLock): ReadonlySet<string> {
  return new Set([
    ...views.map(({ factor, at }) => `${factor} ${at}`),
    ...[...sets, ...releases].map(({ factor, numbers }) => `${factor} ${numbers}`),
  ]);
}

test(
  `runs that are killed ${KILLS} times at random moments lose nothing, spend nothing twice, and the study is whole`,
  async () => {
    const startMs = performance.now();
    expect(await runFor("whole", null)).toBe(true);
    const wholeMs = performance.now() - startMs;
    const needed = listener.takeRequests();
    expect([...await answeredBy(join(home, "whole"), needed)]).toEqual(needed);
    const folder = join(home, "killed");
    const chance = chances(SEED);
    let known: ReadonlySet<string> = new Set();
    let asOf: string | null = null;
    const asked: string[] = [];
    for (let kill = 0; kill <= KILLS; kill++) {
      const answered = await answeredBy(folder, needed);
      // Most of a run is its start; the moments lie where it loads. The last run comes to its end.
      const lifeMs = wholeMs * (0.3 + 0.7 * chance.next().value);
      expect(await runFor("killed", kill === KILLS ? null : lifeMs) || kill < KILLS).toBe(true);
      const requests = listener.takeRequests();
      asked.push(...requests);
      // It asks for what a whole run asks for, and never for what the study has.
      expect(requests.filter((request) => !needed.includes(request))).toEqual([]);
      expect(requests.filter((request) => answered.has(request))).toEqual([]);
      const read = await readLockFile(folder);
      if (read === null) continue;
      expect([read.isSealed, read.isNormal]).toEqual([true, true]);
      // The time is decided once, and what a lock had once it keeps.
      asOf ??= read.lock.asOf;
      expect(read.lock.asOf).toBe(asOf);
      const now = factsOf(read.lock);
      expect([...known].filter((fact) => !now.has(fact))).toEqual([]);
      known = now;
      expect((await verifyStudy(folder)).problems).toEqual([]);
    }
    // Each request of a whole run was sent; once more only where a kill cut it off.
    expect([...new Set(asked)].toSorted()).toEqual([...new Set(needed)].toSorted());
    const [whole, killed] = await Promise.all(
      ["whole", "killed"].map((name) => readLockFile(join(home, name))),
    );
    const { views, sets, releases } = killed!.lock;
    expect([sets, releases]).toEqual([whole!.lock.sets, whole!.lock.releases]);
    expect(views.length).toBe(whole!.lock.views.length);
    // A run over what is there sends nothing.
    expect(await runFor("killed", null)).toBe(true);
    expect(listener.takeRequests()).toEqual([]);
    process.stdout.write(`${KILLS} kills: ${asked.length} requests, ${needed.length} in one run\n`);
  },
  30_000 + KILLS * 10_000,
);
