// @heavy: processes that are killed
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KEY } from "../client/_service.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import { ACCOUNT, listenNoting, type NotingListener } from "./_spending.ts";
import { startStudyService, type StudyService } from "./_study.ts";

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

/** Records a study in a process of its own; what it wrote to standard error. */
async function record(study: string, cache: string): Promise<string> {
  const args = ["run", "-A", PROGRAM, join(home, study), listener.url, KEY, join(home, cache)];
  const { stderr, success } = await new Deno.Command(Deno.execPath(), { args }).output();
  const said = new TextDecoder().decode(stderr);
  return success ? "" : said;
}

test.each([
  ["that share a ledger", ["cache", "cache", "cache"]],
  ["with a ledger each", ["cache-1", "cache-2", "cache-3"]],
])("three processes %s that record one study at once send what one needs", async (_, caches) => {
  expect(await record("alone", "alone")).toBe("");
  const needed = listener.takeRequests();
  listener.beginAgain();
  const said = await Promise.all(caches.map((cache) => record("together", cache)));
  expect(said).toEqual(["", "", ""]);
  expect(listener.takeRequests().toSorted()).toEqual(needed.toSorted());
  const folder = join(home, "together");
  expect((await verifyStudy(folder)).problems).toEqual([]);
  const [alone, together] = await Promise.all(
    ["alone", "together"].map(async (name) => (await readLockFile(join(home, name)))!.lock),
  );
  expect(together!.sets).toEqual(alone!.sets);
  // What a release says of itself has the time at which it was received.
  const numbersOf = ({ releases }: NonNullable<typeof alone>) =>
    releases.map(({ numbers }) => numbers);
  expect(numbersOf(together!)).toEqual(numbersOf(alone!));
});
