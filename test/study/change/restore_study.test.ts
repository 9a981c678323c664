import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
});
