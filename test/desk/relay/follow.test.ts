import { expect, test } from "vitest";
import { findGaps } from "../../../src/desk/relay/follow_checks.ts";
import { Store } from "../../../src/base/store/store.ts";
import { useRelays } from "./_relay.ts";

const { start } = useRelays();

test("following asks for each check once it is due, and every publication is in the store", async () => {
  const waits: number[] = [];
  let wake = () => {};
  const started = await start();
  const { service, seen } = started;
  service.clock.set("2026-11-20T10:02:00Z");
  await started.reopen({
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        waits.push(ms);
        wake = resolve;
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const until = async (count: number) => {
    while (waits.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  started.relay.follow();
  await until(1);
  // The check of 10:00 is known; the next one is due at 11:00, and it is looked for at 11:01, in steps of five minutes.
  expect(waits).toEqual([300_000]);
  for (let i = 2; i <= 60; i++) {
    service.clock.advance(waits.at(-1)!);
    wake();
    await until(i);
    if (service.clock.now() >= "2026-11-20T14:30:00.000Z") break;
  }
  const store = await Store.open(`${started.folder}/store`);
  const hours = (await store.listChecks("ecpnd")).map((check) => check.lastCheckedAt.slice(11, 13));
  expect(hours).toEqual(["10", "11", "12", "13", "14"]);
  expect((await store.listSets("ecqdi")).length).toBe(2);
  const asked = seen().filter((line) => line === "GET /v1/scores?factor=ecpnd").length;
  expect(asked).toBe(5);
  expect(await findGaps(store, "ecpnd", Date.parse("2026-11-20T15:00:00Z"))).toEqual([]);
});

test("gaps are the hours of which the store does not have the check, until an answer proves what was there", async () => {
  const { get, folder, service } = await start();
  for (const time of ["10:00", "11:59:59.999", "14:00"]) {
    await get(`/v1/scores?at=2026-11-20T${time.padEnd(8, ":00")}Z`);
  }
  const store = await Store.open(`${folder}/store`);
  const nowMs = service.clock.nowMs();
  expect(await findGaps(store, "ecpnd", nowMs)).toEqual([
    "2026-11-20T12:59:59.999Z",
    "2026-11-20T13:59:59.999Z",
  ]);
  expect(await findGaps(store, "ecqdi", nowMs)).toEqual([]);
  await get("/v1/scores?at=2026-11-20T12:59:59.999Z");
  expect(await findGaps(store, "ecpnd", nowMs)).toEqual(["2026-11-20T13:59:59.999Z"]);
});
