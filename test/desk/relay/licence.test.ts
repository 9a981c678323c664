import { expect, test } from "vitest";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { ACCOUNT_KEY, useRelays } from "./_relay.ts";

const { start } = useRelays();
const SET = `/v1/scores?snapshot_id=${FIXTURE_SETS.ecpnd.first}`;

test("what the store has is served within the lease, which is asked for anew after an hour", async () => {
  const { get, service, seen } = await start();
  await get(SET);
  service.clock.advance(3_599_000);
  expect((await get(SET)).status).toBe(200);
  expect(seen().filter((line) => line === "GET /v1/factors").length).toBe(1);
  service.clock.advance(1_000);
  expect((await get(SET)).status).toBe(200);
  expect(seen().filter((line) => line === "GET /v1/factors").length).toBe(2);
});

test("without an answer of the service nothing is served beyond the lease", async () => {
  const { get, service, cut } = await start();
  await get(SET);
  cut(true);
  service.clock.advance(3_590_000);
  expect((await get(SET)).status).toBe(200);
  service.clock.advance(10_000);
  const refused = await get(SET);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: "service_unavailable", retryable: true });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
});

test("a factor that the service refuses ends at once, and the other one goes on", async () => {
  const { get, service } = await start();
  await get(SET);
  service.schedule({
    kind: "licence",
    account: "desk",
    factor: "ecpnd",
    active: false,
    at: "2026-11-20T15:00:01Z",
  });
  service.clock.advance(2_000);
  // It is not known yet, and nothing of it is on its way.
  expect((await get(SET)).status).toBe(200);
  service.clock.advance(60_000);
  for (const path of ["/v1/scores", SET, "/v1/scores/history"]) {
    const refused = await get(path);
    expect([path, refused.status]).toEqual([path, 403]);
    expect(await refused.json())
      .toMatchObject({ error: "factor_subscription_required", factor: "ecpnd" });
  }
  expect((await get("/v1/scores?factor=ecqdi")).status).toBe(200);
});

test("a licence that ends for all factors is told with the service's code", async () => {
  const { get, service } = await start();
  await get(SET);
  for (const factor of ["ecpnd", "ecqdi"] as const) {
    service.schedule({
      kind: "licence",
      account: "desk",
      factor,
      active: false,
      at: "2026-11-20T15:00:01Z",
    });
  }
  service.clock.advance(61_000);
  const refused = await get("/v1/factors");
  expect([refused.status, (await refused.json()).error]).toEqual([403, "subscription_required"]);
  expect((await get(SET)).status).toBe(403);
});

test("a revoked key of the account ends everything, and is not shown to the service again", async () => {
  const { get, service, entries } = await start();
  await get(SET);
  service.schedule({ kind: "key_revoked", account: "desk", at: "2026-11-20T15:00:01Z" });
  service.clock.advance(61_000);
  expect((await get("/v1/scores")).status).toBe(503);
  const before = entries().length;
  service.clock.advance(120_000);
  expect((await get(SET)).status).toBe(503);
  expect(entries().length).toBe(before);
});

test("the list of factors and the metadata of a release are on no disk", async () => {
  const { get, folder } = await start();
  await get("/v1/factors");
  await get("/v1/scores/history");
  const grep = new Deno.Command("grep", {
    args: ["-rlE", "history\\?factor|window_years", folder],
  });
  const { stdout } = await grep.output();
  expect(new TextDecoder().decode(stdout)).toBe("");
  const keys = new Deno.Command("grep", { args: ["-rl", ACCOUNT_KEY, folder] });
  expect(new TextDecoder().decode((await keys.output()).stdout)).toBe("");
});
