// @heavy: many kills
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KEY } from "../client/_service.ts";
import type { StudyLock } from "../../src/study/lock/lock.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import {
  ACCOUNT,
  answeredBy,
  listenNoting,
  type NotingListener,
  withoutProof,
} from "./_spending.ts";
import { startStudyService, type StudyService } from "./_study.ts";

// A hundred take some minutes: SCOREFRAME_KILLS=100.
const KILLS = Number(process.env["SCOREFRAME_KILLS"] ?? 10);
const SEED = Number(process.env["SCOREFRAME_KILL_SEED"] ?? 7);
const PROGRAM = join(import.meta.dirname!, "_recording_process.ts");

let service: StudyService;
let listener: NotingListener;
let home: string;
beforeEach(async () => {
  service = await startStudyService({ accounts: [ACCOUNT] });
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

/** A study that is being recorded by runs that are killed. */
interface Recording {
  readonly name: string;
  /** Requests of all its runs. */
  readonly asked: string[];
  known: ReadonlySet<string>;
  asOf: string | null;
}

/** What has to hold of a study after each of its runs, however it ended. */
async function assertWhole(recording: Recording): Promise<void> {
  const folder = join(home, recording.name);
  const read = await readLockFile(folder);
  if (read === null) return;
  expect([read.broken, read.isNormal]).toEqual([[], true]);
  // The time is decided once, and what a lock had once it keeps.
  recording.asOf ??= read.lock.asOf;
  expect(read.lock.asOf).toBe(recording.asOf);
  const now = factsOf(read.lock);
  expect([...recording.known].filter((fact) => !now.has(fact))).toEqual([]);
  recording.known = now;
  expect((await verifyStudy(folder)).problems).toEqual([]);
}

/** What has to hold of a study when a run has come to its end. */
async function assertComplete({ name, asked }: Recording, needed: readonly string[]) {
  expect([...new Set(asked)].toSorted()).toEqual(needed.toSorted());
  const [whole, killed] = await Promise.all(
    ["whole", name].map((each) => readLockFile(join(home, each))),
  );
  const { views, sets, releases } = killed!.lock;
  // Each was received at its own time.
  const said = (lines: typeof releases) =>
    lines.map(({ receipt, ...line }) => ({ ...line, said: receipt!.said }));
  expect(sets).toEqual(whole!.lock.sets);
  expect(said(releases)).toEqual(said(whole!.lock.releases));
  expect(views.length).toBe(whole!.lock.views.length);
}

test(
  `studies whose runs are killed ${KILLS} times at random moments lose nothing, spend nothing twice, and are whole`,
  async () => {
    const startMs = performance.now();
    expect(await runFor("whole", null)).toBe(true);
    const wholeMs = performance.now() - startMs;
    const loadsFromMs = listener.firstArrivalMs() - startMs;
    const needed = listener.takeRequests();
    expect([...await answeredBy(join(home, "whole"), needed)]).toEqual(needed);
    const chance = chances(SEED);
    const begin = (number: number): Recording => {
      listener.beginAgain();
      return { name: `killed-${number}`, asked: [], known: new Set(), asOf: null };
    };
    let [kills, studies, again, proofs] = [0, 0, 0, 0];
    let recording = begin(0);
    let pace = 1;
    // The last study is recorded to its end.
    for (let isEnded = false; kills < KILLS || !isEnded;) {
      const answered = await answeredBy(join(home, recording.name), needed);
      const moment = chance.next().value;
      const lifeMs = (loadsFromMs + (wholeMs - loadsFromMs) * moment) * pace;
      isEnded = await runFor(recording.name, kills < KILLS ? lifeMs : null);
      const arrived = listener.takeRequests();
      const requests = withoutProof(arrived);
      recording.asked.push(...requests);
      proofs += arrived.length - requests.length;
      // It asks for what a whole run asks for, and never for what the study had when the run began.
      const story = `${recording.name} at ${recording.asOf}: ${recording.asked.join(", ")}`;
      expect(requests.filter((request) => !needed.includes(request)), story).toEqual([]);
      expect(requests.filter((request) => answered.has(request)), story).toEqual([]);
      await assertWhole(recording);
      kills += isEnded ? 0 : 1;
      // The machine may have become faster since the whole run, or slower.
      pace *= isEnded ? 0.9 : 1.03;
      if (!isEnded) continue;
      await assertComplete(recording, needed);
      again += recording.asked.length - needed.length;
      recording = begin(++studies);
    }
    process.stdout.write(
      `${kills} kills, ${studies} studies of ${needed.length} requests; ${again} that a kill cut off were sent again, ` +
        `and ${proofs} asked who answered\n`,
    );
    // A run over what is there sends nothing.
    expect(await runFor("killed-0", null)).toBe(true);
    expect(listener.takeRequests()).toEqual([]);
  },
  30_000 + KILLS * 20_000,
);
