import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planRestore } from "../../../src/study/change/restore_study.ts";
import { inOrder, lastEntries } from "../../../src/study/lock/chain.ts";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import { encodeLock, parseLock } from "../../../src/study/lock/lock_text.ts";
import { StudyPlace } from "../../../src/study/study_place.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { PLAN, startRegistered } from "../register/_registered.ts";

const LOCK = "study.lock.json";

let service: Awaited<ReturnType<typeof startRegistered>>;
let pristine: string;
let environment: Record<string, string>;
beforeAll(async () => {
  service = await startRegistered();
  pristine = await service.makeFolder("pristine");
  const study = await service.open(pristine);
  await study.register(PLAN);
  await study.history("ecpnd", { progress: false });
  await study.close();
});
afterAll(() => service.close());

let copies = 0;
async function copyOf(folder: string): Promise<string> {
  const copy = `${folder}-${++copies}`;
  await cp(folder, copy, { recursive: true });
  environment = { XDG_STATE_HOME: `${copy}-state` };
  return copy;
}

async function look(folder: string): Promise<number> {
  service.clock.ms += 60_000;
  await using study = await service.open(folder, { environment });
  return (await study.openHoldOut("main")).looks;
}

async function problemsOf(folder: string): Promise<readonly string[]> {
  return (await verifyStudy(folder, () => {}, { environment })).problems.map(({ says }) => says);
}

async function restore(folder: string): Promise<void> {
  const { lock } = (await readLockFile(folder))!;
  const place = new StudyPlace({
    folder,
    mode: "auto",
    lock,
    asOf: null,
    options: { environment },
  });
  await (await planRestore(place)).run();
  await place.close();
}

/** The lock without its last entries, sealed again, as nobody can tell from the file alone. */
async function dropTail(folder: string, entries: number): Promise<void> {
  const { lock } = (await readLockFile(folder))!;
  const registered = inOrder(lock.registered).slice(0, -entries);
  await writeFile(join(folder, LOCK), encodeLock({ ...lock, registered }));
}

test("a look is not taken back by an older lock: verify names it, and the next look is the second", async () => {
  const folder = await copyOf(pristine);
  const before = await readFile(join(folder, LOCK), "utf8");
  expect(await look(folder)).toBe(1);
  await writeFile(join(folder, LOCK), before);
  expect(await problemsOf(folder)).toEqual([
    expect.stringMatching(/^expected 2 entries \(1 look, the last of 2026-11-20\) .* got none/),
  ]);
  expect(await look(folder)).toBe(2);
  expect(await problemsOf(folder)).toEqual([]);
});

test("a tail that was dropped and sealed again is added by a restore, which needs no key", async () => {
  const folder = await copyOf(pristine);
  await look(folder);
  await look(folder);
  await dropTail(folder, 2);
  expect((await verifyStudy(folder, () => {}, { environment: {} })).problems).toEqual([]);
  expect(await problemsOf(folder)).toHaveLength(1);
  await restore(folder);
  expect(await problemsOf(folder)).toEqual([]);
  await using study = await service.open(folder, { environment });
  expect(study.heldOut?.looks).toBe(2);
});

test("a register that was removed whole is noted, and begins anew", async () => {
  const folder = await copyOf(pristine);
  await look(folder);
  const { lock } = (await readLockFile(folder))!;
  await writeFile(join(folder, LOCK), encodeLock({ ...lock, registered: [] }));
  const { notes } = await verifyStudy(folder, () => {}, { environment });
  expect(notes.map(({ says }) => says)).toContainEqual(
    expect.stringContaining("another lock was in this folder, with 3 entries (1 look"),
  );
});

test("a paper that names the last entry shows that a later lock lost it, on any machine", async () => {
  const folder = await copyOf(pristine);
  await look(folder);
  await using study = await service.open(folder);
  const [, head] = /ends with SHA-256 `([0-9a-f]{64})`/.exec(study.methods())!;
  const withHead = { environment: {}, head: head! };
  expect((await verifyStudy(folder, () => {}, withHead)).problems).toEqual([]);
  await dropTail(folder, 2);
  expect((await verifyStudy(folder, () => {}, withHead)).problems).toEqual([
    { path: LOCK, says: expect.stringContaining(`expected the entry ${head} among`) },
  ]);
});

test("two colleagues who each looked once merge their locks, and have looked twice", async () => {
  const [ann, ben] = [await copyOf(pristine), await copyOf(pristine)];
  expect([await look(ann), await look(ben)]).toEqual([1, 1]);
  // As in an editor: the lines of both, with the seal of one.
  const other = (await readFile(join(ben, LOCK), "utf8")).split("\n");
  const lines = other.filter((line) => /"kind":"(look|result)"/.test(line))
    .map((line) => `${line.replace(/,$/, "")},`);
  const text = await readFile(join(ann, LOCK), "utf8");
  await writeFile(
    join(ann, LOCK),
    text.replace('"registered": [\n', `"registered": [\n${lines.join("\n")}\n`),
  );
  await rm(environment.XDG_STATE_HOME!, { recursive: true, force: true });
  await restore(ann);
  expect(await problemsOf(ann)).toEqual([]);
  expect(lastEntries((await readLockFile(ann))!.lock.registered)).toHaveLength(2);
  expect(await look(ann)).toBe(3);
  const { lock } = (await readLockFile(ann))!;
  expect(lastEntries(lock.registered)).toHaveLength(1);
  const third = inOrder(lock.registered).findLast(({ kind }) => kind === "look");
  expect(third).toMatchObject({ number: 3, before: [expect.any(String), expect.any(String)] });
  // Neither can be dropped now.
  const without = lock.registered.filter(({ sha256 }) => sha256 !== third!.before[0]);
  await writeFile(join(ann, LOCK), encodeLock({ ...lock, registered: without }));
  expect(await problemsOf(ann)).toContainEqual(
    expect.stringContaining("an entry was edited, removed"),
  );
  expect(parseLock(encodeLock(lock)).lock.registered).toEqual(
    expect.arrayContaining([...lock.registered]),
  );
});

test("a state folder that cannot be written keeps nobody from a look", async () => {
  const folder = await copyOf(pristine);
  await writeFile(environment.XDG_STATE_HOME!, "a file in its place");
  expect(await look(folder)).toBe(1);
  expect(await problemsOf(folder)).toEqual([]);
});
