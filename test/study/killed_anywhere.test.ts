// @heavy: many kills
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import { pathOf } from "../client/_service.ts";
import { recordStudy } from "./_recording.ts";
import { ACCOUNT, answeredBy, PROOF, WALK, withoutProof } from "./_spending.ts";
import { startStudyService, type StudyService } from "./_study.ts";

// What a study keeps becomes durable when a file gets its name: by a link in its store, by a renaming for all else.
const disk = vi.hoisted(() => ({
  namesLeft: Number.POSITIVE_INFINITY,
  assertAlive() {
    if (disk.namesLeft <= 0) throw new Error("the run was killed");
  },
}));
vi.mock("node:fs/promises", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs/promises")>();
  const give = (name: "link" | "rename") => async (from: string, to: string) => {
    disk.assertAlive();
    await original[name](from, to);
    disk.namesLeft--;
  };
  return { ...original, link: give("link"), rename: give("rename") };
});

let service: StudyService;
let home: string;
let beginMs: number;
beforeEach(async () => {
  service = await startStudyService({ accounts: [ACCOUNT] });
  home = await service.makeFolder();
  beginMs = service.clock.ms;
});
afterEach(async () => {
  disk.namesLeft = Number.POSITIVE_INFINITY;
  await service.close();
});

/** Runs the study until so many files have got their names; whether it came to its end, and what it sent. */
async function runFor(name: string, names: number) {
  disk.namesLeft = names;
  const study = await service.open(join(home, name), {
    maxRetries: 0,
    fetch: (request) => {
      disk.assertAlive();
      // A study's time is past for what is asked after it.
      if (!request.url.endsWith("/v1/factors")) service.clock.ms = beginMs + 1_000;
      return service.fetch(request);
    },
  });
  const isEnded = await recordStudy(study).then(() => true, (error) => {
    if (disk.namesLeft > 0) throw error;
    return false;
  });
  disk.namesLeft = Number.POSITIVE_INFINITY;
  await study.close();
  return { isEnded, requests: service.requests.splice(0).map(pathOf) };
}

test(
  "a study that is killed between any two files loses nothing, spends nothing twice, and asks once who answered",
  async () => {
    const whole = await runFor("whole", Number.POSITIVE_INFINITY);
    const needed = whole.requests;
    const proofs: string[] = [];
    let moments = 0;
    for (let isEnded = false; !isEnded; moments++) {
      const name = `killed-${moments}`;
      service.clock.ms = beginMs;
      const killed = await runFor(name, moments);
      isEnded = killed.isEnded;
      const answered = await answeredBy(join(home, name), needed);
      const rest = await runFor(name, Number.POSITIVE_INFINITY);
      const story = `${name}: ${killed.requests.join(", ")}; then ${rest.requests.join(", ")}`;
      expect(rest.isEnded, story).toBe(true);
      const requests = withoutProof(rest.requests);
      if (requests.length < rest.requests.length) proofs.push(rest.requests.slice(0, 2).join(", "));
      expect(requests.filter((request) => !needed.includes(request)), story).toEqual([]);
      expect(requests.filter((request) => answered.has(request)), story).toEqual([]);
      const asked = new Set([...killed.requests, ...requests]);
      expect([...asked].toSorted(), story).toEqual([...needed].toSorted());
      const locks = await Promise.all(
        ["whole", name].map((each) => readLockFile(join(home, each))),
      );
      expect(locks[1], story).toEqual(locks[0]);
      expect((await verifyStudy(join(home, name))).problems, story).toEqual([]);
    }
    // Most requests leave several files.
    expect(moments).toBeGreaterThan(needed.length);
    // The sets of the list and its end come into the lock at once: the only such moment is just before.
    expect(proofs).toEqual([`${WALK[1]}, ${PROOF}`]);
  },
  600_000,
);
