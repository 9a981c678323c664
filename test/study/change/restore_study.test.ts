import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { followService } from "../../../src/study/change/follow_service.ts";
import { planRestore } from "../../../src/study/change/restore_study.ts";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import { StudyPlace } from "../../../src/study/study_place.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { KEY } from "../../client/_service.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.panel("ecqdi", { at: ["2026-11-20T11:30:00Z", "2026-11-20T14:30:00Z"] });
  await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  await study.close();
});
afterEach(() => service.close());

const lockPath = () => join(folder, "study.lock.json");

async function restore(options: { readonly baseUrl?: string } = {}): Promise<void> {
  const { lock } = (await readLockFile(folder))!;
  const { fetch, clock } = service;
  const place = new StudyPlace({
    folder,
    mode: "auto",
    lock,
    asOf: null,
    options: { apiKey: KEY, fetch, now: () => clock.ms, ...options },
  });
  try {
    await (await planRestore(place)).run();
  } finally {
    await place.close();
  }
}

async function change(edit: (text: string) => string): Promise<void> {
  const text = await readFile(lockPath(), "utf8");
  expect(edit(text)).not.toBe(text);
  await writeFile(lockPath(), edit(text));
}

describe("a study that was restored", () => {
  test("replays from another address of the service", async () => {
    const before = await (await service.openFrozen(folder)).scores("ecpnd");
    await rm(join(folder, "store"), { recursive: true });
    await restore({ baseUrl: "http://localhost:4321" });
    expect((await verifyStudy(folder)).problems).toEqual([]);
    const frozen = await service.openFrozen(folder);
    const names = ["ticker", "ecpnd_score", "snapshot_id", "last_checked_at"];
    expect((await frozen.scores("ecpnd")).select(...names).frameEqual(before.select(...names)))
      .toBe(true);
    expect((await frozen.publications("ecpnd", { from: "2026-11-20T08:00:00Z" })).height).toBe(2);
  });

  test("is sealed again, where lines were taken away on purpose", async () => {
    const view = / \{[^\n]*"at":"2026-11-20T14:30:00.000Z"[^\n]*,?\n/;
    await change((text) => text.replace(view, "").replaceAll(/,(\n\])/g, "$1"));
    const set = / \{[^\n]*7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e802[^\n]*,?\n/;
    await change((text) => text.replace(set, "").replaceAll(/,(\n\])/g, "$1"));
    expect((await verifyStudy(folder)).problems.length).toBeGreaterThan(0);
    await restore();
    expect((await verifyStudy(folder)).problems).toEqual([]);
    expect((await readLockFile(folder))!.lock.views.length).toBe(3);
  });

  test("is not sealed where its time was changed, or a time without a publication has one", async () => {
    await change((text) =>
      text.replace('"as_of": "2026-11-20T15:00:05', '"as_of": "2026-11-20T14:59:05')
    );
    await expect(restore()).rejects.toThrow(
      /expected as_of, service, world and synthetic as they were written in its lock/,
    );
    await change((text) =>
      text.replace('"as_of": "2026-11-20T14:59:05', '"as_of": "2026-11-20T15:00:05')
    );
    await change((text) =>
      text.replace('"at":"2026-11-20T09:59:59.999Z"}', '"at":"2026-11-20T10:59:59.999Z"}')
    );
    await expect(restore()).rejects.toThrow(
      /expected no ecpnd publication by 2026-11-20T10:59:59\.999Z, as its lock says, got the set 3f2b7c1e/,
    );
    expect((await readLockFile(folder))!.broken.length).toBe(1);
  });

  test("gets a set that differs from the lock, and a damaged one, again", async () => {
    const sets = join(folder, "store", "ecpnd", "sets");
    const [first, second] = (await readdir(sets)).toSorted();
    const text = await readFile(join(sets, first!), "utf8");
    // A forgery with a hash that fits it.
    const forged = text.replace(/,"sha256".*/, "").trimEnd().replace(/:0\.\d+\}/, ":0.123}");
    const hash = createHash("sha256").update(forged).digest("hex");
    await writeFile(join(sets, first!), `${forged},"sha256":"${hash}"}\n`);
    await writeFile(join(sets, second!), "{");
    expect((await verifyStudy(folder)).problems.length).toBeGreaterThan(1);
    service.takeRequests();
    await restore();
    expect(service.takeRequests().length).toBe(2);
    expect((await verifyStudy(folder)).problems).toEqual([]);
    expect(await readFile(join(sets, first!), "utf8")).toBe(text);
    expect((await readdir(sets)).filter((name) => name.startsWith(".damaged-")).length).toBe(2);
  });

  test("has the rows that it had, with the time at which it received them first", async () => {
    const before = await (await service.openFrozen(folder)).scores("ecpnd");
    const panel = { at: ["2026-11-20T14:30:00Z"], progress: false } as const;
    const rows = await (await service.openFrozen(folder)).panel("ecqdi", panel);
    const lock = await readFile(lockPath(), "utf8");
    await rm(join(folder, "store"), { recursive: true });
    service.clock.ms += 1_000_000;
    await restore();
    const frozen = await service.openFrozen(folder);
    expect((await frozen.scores("ecpnd")).frameEqual(before)).toBe(true);
    expect((await frozen.panel("ecqdi", panel)).frameEqual(rows)).toBe(true);
    expect(await readFile(lockPath(), "utf8")).toBe(lock);
  });

  test("keeps its loaded files if others cannot be loaded", async () => {
    await rm(join(folder, "store"), { recursive: true });
    await change((text) => text.replace("3f2b7c1e-9a4d-4c8b-8f10", "3f2b7c1e-9a4d-4c8b-8f11"));
    await expect(restore()).rejects.toThrow(/the rest is restored, and the lock is unchanged$/);
    const { problems } = await verifyStudy(folder);
    expect(problems.every(({ says }) => !says.includes("ecqdi"))).toBe(true);
    const frozen = await service.openFrozen(folder);
    expect((await frozen.panel("ecqdi", { at: ["2026-11-20T14:30:00Z"] })).height).toBe(8);
  });

  test("is sealed after a merge without key and network, if its store proves every line", async () => {
    const { lock, text } = (await readLockFile(folder))!;
    await change((old) =>
      old.replace(/"views": "(\d+) [0-9a-f]+"/, '"views": "$1 0000000000000000"')
    );
    const offline = () => Promise.reject(new Error("a restore of a whole store sent something"));
    const place = new StudyPlace({
      folder,
      mode: "auto",
      lock,
      asOf: null,
      options: { fetch: offline, environment: {} },
    });
    const plan = await planRestore(place);
    expect([plan.costs, plan.wrong, plan.missingSets]).toEqual([[], [], 0]);
    await plan.run();
    expect(await readFile(lockPath(), "utf8")).toBe(text);
  });

  test("says which set is missing before, and names restore", async () => {
    const sets = join(folder, "store", "ecpnd", "sets");
    for (const name of await readdir(sets)) await rm(join(sets, name));
    await expect((await service.openFrozen(folder)).scores("ecpnd")).rejects.toThrow(
      /^Cannot replay .* ecpnd\/sets\/\S+.*study restore/,
    );
  });
});

describe("the address of a study's service", () => {
  test("may be mistyped at the first load", async () => {
    const other = join(await service.makeFolder(), "other");
    const gone = () => Promise.reject(new TypeError("no such host"));
    const mistyped = await service.open(other, {
      fetch: gone,
      baseUrl: "http://localhost:1",
      maxRetries: 0,
    });
    await expect(mistyped.scores("ecpnd")).rejects.toThrow("no such host");
    await mistyped.close();
    const study = await service.open(other, { baseUrl: "http://localhost:2" });
    expect((await study.scores("ecpnd")).height).toBe(8);
    expect(study.lock!.service).toBe("http://localhost:2");
  });

  test("may change, which a study follows after it compared a set", async () => {
    const moved = { baseUrl: "http://localhost:4321" };
    const study = await service.open(folder, moved);
    await expect(study.history("ecpnd", { progress: false })).rejects.toThrow(
      /service http:\/\/\S+, got .*SCOREFRAME_URL.* study restore --follow/,
    );
    const { lock } = (await readLockFile(folder))!;
    const { fetch, clock } = service;
    const options = { apiKey: KEY, fetch, now: () => clock.ms, ...moved };
    const place = new StudyPlace({ folder, mode: "auto", lock, asOf: null, options });
    await followService(place);
    await place.close();
    const again = await service.open(folder, moved);
    expect((await again.history("ecpnd", { progress: false })).height).toBe(4);
    expect((await verifyStudy(folder)).problems).toEqual([]);
  });

  test("is not followed to a service that gives other numbers", async () => {
    await change((text) => text.replace(/"numbers":"\w{8}/g, '"numbers":"00000000'));
    const { lock } = (await readLockFile(folder))!;
    const { fetch, clock } = service;
    const options = { apiKey: KEY, fetch, now: () => clock.ms, baseUrl: "http://localhost:4321" };
    const place = new StudyPlace({ folder, mode: "auto", lock, asOf: null, options });
    await expect(followService(place)).rejects.toThrow("is another service");
    await place.close();
  });
});
