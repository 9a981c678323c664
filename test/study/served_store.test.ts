import { afterAll, beforeAll, expect, test } from "vitest";
import { createScoreServer } from "../../src/server/mod.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { openServedStore } from "../../src/study/served_store.ts";
import { PLAN, startRegistered, TEST_KEY } from "./register/_registered.ts";

let service: Awaited<ReturnType<typeof startRegistered>>;
let folder: string;
beforeAll(async () => {
  service = await startRegistered();
  folder = await service.makeFolder("served");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  // The release is received after the study's time.
  service.clock.ms += 3_600_000;
  await study.history("ecpnd", { progress: false });
  await study.close();
});
afterAll(() => service.close());

/** Asks a server of the study; its status, and what it says. */
async function serve(at?: string) {
  const store = await openServedStore(folder, (await readLockFile(folder))!.lock);
  const server = createScoreServer({
    store,
    accounts: [{ id: "me", factors: ["ecpnd"], keys: [{ key: TEST_KEY }] }],
    clock: { at: at ?? store.limit.through },
  });
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    const answer = await server.fetch(new Request(`http://localhost/v1/${path}`, { headers }));
    return { status: answer.status, said: await answer.json() };
  };
  return { store, ask };
}

test("the release that a study loaded is served at the study's time, and no other one", async () => {
  const { lock } = (await readLockFile(folder))!;
  const { ask } = await serve();
  const { status, said } = await ask("scores/history?factor=ecpnd");
  expect(status).toBe(200);
  expect(said.download_sha256).toBe(lock.releases[0]!.downloadSha256);
  const without = await openServedStore(folder, { ...lock, releases: [] });
  expect(await without.listReleases("ecpnd")).toEqual([]);
});

test("a hold-out stays closed: no set, check or release of it is served, whatever the clock", async () => {
  const before = (await readLockFile(folder))!.lock;
  const study = await service.open(folder);
  await study.register({ ...PLAN, prices: "closes.csv", holdOut: { from: "2026-11-20" } });
  await study.scores("ecpnd");
  await study.close();
  for (const at of [undefined, before.asOf]) {
    const { store, ask } = await serve(at);
    expect(store.limit.through).toBe("2026-11-20T14:29:59.999Z");
    const { status, said } = await ask("scores?factor=ecpnd");
    if (at === undefined) {
      expect([status, said.last_checked_at]).toEqual([200, "2026-11-20T14:00:00.000Z"]);
    } else expect(status).not.toBe(200);
    expect((await ask(`scores?factor=ecpnd&at=${before.asOf}`)).status).not.toBe(200);
  }
  const held = { ...before.releases[0]!, lastSession: "2026-11-20" };
  const { lock } = (await readLockFile(folder))!;
  const store = await openServedStore(folder, { ...lock, releases: [held] });
  expect(store.withheld).toEqual([held]);
  expect(await store.listReleases("ecpnd")).toEqual([]);
});
