import { expect, test } from "vitest";
import { ServiceClock } from "../../../src/desk/relay/upstream/service_clock.ts";
import { openMemoryLedger } from "../../../src/client/transport/allowance/ledger.ts";
import { Relay } from "../../../src/desk/relay/relay.ts";
import { StorageError } from "../../../src/base/errors.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { ACCOUNT_KEY, useRelays } from "./_relay.ts";

const { start } = useRelays();
const { first, second } = FIXTURE_SETS.ecpnd;
const set = (id: string) => `/v1/scores?snapshot_id=${id}`;

test("an outage is answered with what is proven, and 503 with Retry-After for the rest", async () => {
  const { get, cut, service } = await start();
  await get(set(first));
  await get("/v1/scores");
  cut(true);
  expect((await get(set(first))).status).toBe(200);
  expect((await get("/v1/scores?at=2026-11-20T15:00:00Z")).status).toBe(200);
  expect((await get("/v1/scores")).status).toBe(200);
  service.clock.advance(60_000);
  for (const path of ["/v1/scores", set(second), "/v1/scores/history"]) {
    const refused = await get(path);
    expect([path, refused.status, refused.headers.get("retry-after")]).toEqual([path, 503, "10"]);
    expect((await refused.json()).error).toBe("service_unavailable");
  }
  expect((await get(set(first))).status).toBe(200);
  cut(false);
  service.clock.advance(10_000);
  expect((await get("/v1/scores")).status).toBe(200);
});

test("an outage spends nobody's budget, and one question in ten seconds tries the service", async () => {
  const off = Object.assign(new TypeError("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  let tries = 0;
  let isOff = true;
  const { get, add, service, seen } = await start({
    around: (request, next) => {
      if (!isOff) return next(request);
      tries++;
      return Promise.reject(off);
    },
  });
  const bob = await add("bob", { requests: 6 });
  for (const id of [first, second, first, second]) {
    expect((await get(set(id), { key: bob })).status).toBe(503);
  }
  // The attempts of the first question alone.
  const ofFirst = tries;
  expect(ofFirst).toBeGreaterThan(0);
  service.clock.advance(5_000);
  const told = await get(set(second), { key: bob });
  expect([told.status, told.headers.get("retry-after"), tries]).toEqual([503, "5", ofFirst]);
  service.clock.advance(5_000);
  expect((await get(set(first), { key: bob })).status).toBe(503);
  expect(tries).toBe(2 * ofFirst);
  isOff = false;
  service.clock.advance(10_000);
  const answered = await get(set(first), { key: bob });
  expect([answered.status, answered.headers.get("x-dailylimit-remaining")]).toEqual([200, "5"]);
  // The licence, and the set.
  expect(seen()).toHaveLength(2);
});

test("a further attempt asks the budget again: a limit of three is never four", async () => {
  const { get, add, service, entries } = await start();
  await get("/v1/factors");
  const bob = await add("bob", { requests: 3 });
  service.faults.add({ kind: "status", status: 503, retryAfterSeconds: 1 });
  const before = entries().length;
  for (let i = 0; i < 6; i++) {
    expect((await get(set(i % 2 === 0 ? first : second), { key: bob })).status)
      .toBeGreaterThanOrEqual(429);
    service.clock.advance(20_000);
  }
  expect(entries().length - before).toBe(3);
});

test("a 503 of the service is passed on with its wait, which nobody shortens", async () => {
  const { get, service, entries } = await start();
  await get(set(first));
  service.faults.add({
    kind: "status",
    status: 503,
    code: "service_unavailable",
    retryAfterSeconds: 40,
  });
  const refused = await get(set(second));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "40"]);
  service.faults.clear();
  service.clock.advance(15_000);
  const before = entries().length;
  const again = await get("/v1/scores?factor=ecqdi");
  expect([again.status, again.headers.get("retry-after")]).toEqual([503, "25"]);
  expect(entries().length).toBe(before);
  service.clock.advance(25_000);
  expect((await get(set(second))).status).toBe(200);
  expect(entries().flatMap(({ complaints }) => complaints)).toEqual([]);
});

test("an answer that breaks the contract is served to nobody, and nothing of it is kept", async () => {
  const { get, service } = await start();
  await get("/v1/factors");
  service.faults.add({ kind: "score_out_of_range" });
  const refused = await get(set(first));
  expect([refused.status, (await refused.json()).error]).toEqual([500, "internal_error"]);
  service.faults.clear();
  expect((await get(set(first))).status).toBe(200);
});

test("a release whose bytes went wrong is served to nobody, and costs one download until the relay is told", async () => {
  const { relay, get, add, service, seen } = await start();
  const bob = await add("bob");
  const file = "/v1/scores/history.csv.gz";
  await get("/v1/factors");
  service.faults.add({ kind: "corrupt", endpoint: "historyFile", method: "GET" });
  for (const key of [undefined, bob, undefined]) {
    expect((await get(file, key === undefined ? {} : { key })).status).toBe(500);
  }
  expect(seen().filter((line) => line.startsWith(`GET ${file}`))).toHaveLength(1);
  service.faults.clear();
  await relay.renew();
  expect((await get(file)).status).toBe(200);
});

test("a full disk stops the questions, and what is there is served", async () => {
  const { get, folder, seen } = await start();
  await get(set(first));
  const sets = `${folder}/store/ecpnd/sets`;
  // A file in the place of a folder takes nothing, for root as well.
  await Deno.rename(`${folder}/store/ecpnd/checks`, `${folder}/store/ecpnd/checks.away`);
  await Deno.writeTextFile(`${folder}/store/ecpnd/checks`, "");
  const refused = await get(set(second));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
  expect((await refused.json()).message).toContain("write to its disk");
  const before = seen().length;
  const again = await get("/v1/scores?factor=ecqdi");
  expect(again.status).toBe(503);
  expect((await again.json()).message).toContain("so it does not ask the service");
  expect(seen().length).toBe(before);
  await Deno.remove(`${folder}/store/ecpnd/checks`);
  await Deno.rename(`${folder}/store/ecpnd/checks.away`, `${folder}/store/ecpnd/checks`);
  expect((await get(set(first))).status).toBe(200);
  expect([...Deno.readDirSync(sets)].length).toBeGreaterThan(0);
});

test("a second relay of an account is refused on one machine, and one behind the first is not", async () => {
  const { relay, folder, get } = await start();
  const open = (apiKey: string, name: string, baseUrl: string) =>
    Relay.open({
      store: `${folder}/${name}/store`,
      state: `${folder}/${name}/state`,
      cacheDir: `${folder}/cache`,
      ...{ apiKey, fetch: relay.fetch, baseUrl, environment: {} },
    });
  const other = open(ACCOUNT_KEY, "other", "http://service.test");
  await expect(other).rejects.toThrow(StorageError);
  const given = { environment: "sandbox", now: "2026-11-20T15:00:00.000Z" } as const;
  const limits = { requests: null, downloads: null, admin: false };
  const key = await relay.users.add({ name: "second", ...limits }, given);
  const behind = await open(key, "behind", "http://relay.test");
  try {
    const colleague = await behind.users.add({ name: "cas", ...limits }, given);
    const headers = { Authorization: `Bearer ${colleague}` };
    const answer = await behind.fetch(new Request(`http://x${set(first)}`, { headers }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-scoreframe-relay")).toBe("spent=1, age=0");
  } finally {
    await behind.close();
  }
  expect((await get(set(first))).headers.get("x-scoreframe-relay")).toBe("spent=0, age=0");
});

test("the clock of the machine set back makes no answer look younger, and no status fresher", () => {
  let [nowMs, steadyMs] = [10_000_000, 500];
  const clock = new ServiceClock({
    clock: { now: () => nowMs, sleep: () => Promise.resolve(), random: () => 0 },
    ledger: openMemoryLedger(),
  }, () => steadyMs);
  const asked = clock.moment();
  [nowMs, steadyMs] = [nowMs + 20_000, steadyMs + 20_000];
  expect(clock.nowMs()).toBe(10_020_000);
  nowMs -= 3_600_000;
  steadyMs += 5_000;
  expect(clock.nowMs()).toBe(10_025_000);
  [nowMs, steadyMs] = [nowMs + 40_000, steadyMs + 40_000];
  expect([clock.nowMs(), clock.sinceMs(asked)]).toEqual([10_065_000, 65_000]);
  // An answer told the time: the ledger knows it by the new clock of the machine.
  clock.forget();
  expect(clock.nowMs()).toBe(nowMs);
});

test("the clock of the machine set ahead proves nothing of the future", async () => {
  let aheadMs = 0;
  const started = await start();
  const { service, entries } = started;
  service.clock.set("2026-11-20T12:59:00Z");
  await started.reopen({ now: () => service.clock.nowMs() + aheadMs });
  await started.get("/v1/factors");
  aheadMs = 600_000;
  expect((await (await started.get("/v1/scores")).json()).last_checked_at)
    .toBe("2026-11-20T12:00:00.000Z");
  service.clock.set("2026-11-20T13:05:00Z");
  const at = await (await started.get("/v1/scores?at=2026-11-20T13:01:00Z")).json();
  expect(at.last_checked_at).toBe("2026-11-20T13:00:00.000Z");
  expect(entries().at(-1)!.target).toContain("at=");
});

test("the account's key is in no answer, journal or page, though the service repeats it", async () => {
  const { relay, get } = await start({
    around: (request, next) => {
      if (request.url.endsWith("/v1/factors")) return next(request);
      const body = {
        ...{ error: "invalid_query", message: `cannot read ${ACCOUNT_KEY}`, retryable: false },
        ...{ request_id: ACCOUNT_KEY, details: { field: ACCOUNT_KEY } },
      };
      const headers = { "X-Request-Id": ACCOUNT_KEY };
      return Promise.resolve(Response.json(body, { status: 400, headers }));
    },
  });
  const texts: string[] = [];
  for (
    const path of [set(first), "/v1/scores", "/v1/scores/history", "/v1/scores/history.csv.gz"]
  ) {
    const answer = await get(path);
    expect([path, answer.status]).not.toEqual([path, 200]);
    texts.push(JSON.stringify([...answer.headers]), await answer.text());
  }
  const listener = await relay.listen();
  for (const path of ["/relay", "/relay.json", "/relay/metrics"]) {
    const headers = { Authorization: `Bearer ${relay.pageToken}` };
    const shown = await fetch(`${listener.url}${path}`, { headers });
    expect(shown.status).toBe(200);
    texts.push(await shown.text());
  }
  texts.push(JSON.stringify(relay.journal.entries));
  for (const text of texts) expect(text).not.toContain(ACCOUNT_KEY);
});
