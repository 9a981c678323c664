import { chown, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { connect } from "../../../mod.ts";
import { UserFile } from "../../../src/desk/relay/user/user_file.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { ACCOUNT_KEY, useRelays } from "./_relay.ts";

const { start } = useRelays();
const { first, second } = FIXTURE_SETS.ecpnd;

test("a key of the relay begins as no key of the service does, and neither works at the other", async () => {
  const { add, get, service } = await start();
  const key = await add("bob");
  expect(key).toMatch(/^relay_test_[0-9a-f]{48}$/);
  expect((await get("/v1/factors", { key })).status).toBe(200);
  expect((await get("/v1/factors", { key: ACCOUNT_KEY })).status).toBe(401);
  const request = new Request("http://x/v1/factors", {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect((await service.fetch(request)).status).toBe(401);
});

test("a key is kept as its hash alone, and stops with its revocation", async () => {
  const { add, get, relay, folder } = await start();
  const key = await add("bob");
  const text = await readFile(join(folder, "state", "users.json"), "utf8");
  expect(text).toContain('"bob"');
  expect(text).not.toContain(key.slice(11));
  expect((await get("/v1/factors", { key })).status).toBe(200);
  await relay.users.revoke("bob", "2026-11-20T15:00:00.000Z");
  const refused = await get("/v1/factors", { key });
  expect([refused.status, (await refused.json()).error]).toEqual([401, "unauthorized"]);
  await expect(relay.users.revoke("bob", "")).rejects.toThrow("expected a user with a valid key");
});

test.each(["", "-x", "a b", "<b>", "a".repeat(65), "(relay)"])(
  "refuses the name %j",
  async (name) => {
    const { relay } = await start();
    const user = { name, requests: null, downloads: null, admin: false };
    const given = { environment: "sandbox", now: "" } as const;
    await expect(relay.users.add(user, given)).rejects.toThrow("Cannot add the user");
  },
);

test("a limit of requests is refused with its owner, and what the relay has is given all the same", async () => {
  const { add, get } = await start();
  const bob = await add("bob", { requests: 1 });
  const told = (response: Response) =>
    ["limit", "remaining"].map((name) => response.headers.get(`x-dailylimit-${name}`));
  const asked = await get(`/v1/scores?snapshot_id=${first}`, { key: bob });
  expect([asked.status, ...told(asked)]).toEqual([200, "1", "0"]);
  const refused = await get(`/v1/scores?snapshot_id=${second}`, { key: bob });
  expect([refused.status, ...told(refused)]).toEqual([429, "1", "0"]);
  // 15:00 to 24:00 UTC.
  expect(refused.headers.get("retry-after")).toBe("32400");
  expect(await refused.json()).toMatchObject({
    error: "daily_limit_exceeded",
    message: "bob may use 1 request of the service per UTC day, and all are spent; " +
      "retry in 32400 s; answers from the relay's store cost nothing",
  });
  expect((await get(`/v1/scores?snapshot_id=${first}`, { key: bob })).status).toBe(200);
  expect((await get(`/v1/scores?snapshot_id=${second}`)).status).toBe(200);
  expect((await get(`/v1/scores?snapshot_id=${second}`, { key: bob })).status).toBe(200);
});

test("a limit of downloads holds until midnight, over a restart, and not for what is on the disk", async () => {
  const { add, get, reopen, service } = await start();
  const bob = await add("bob", { downloads: 1 });
  const file = (factor: string) => get(`/v1/scores/history.csv.gz?factor=${factor}`, { key: bob });
  expect((await file("ecpnd")).headers.get("x-downloadlimit-remaining")).toBe("0");
  await reopen();
  const refused = await file("ecqdi");
  expect([refused.status, (await refused.json()).error]).toEqual([429, "download_limit_exceeded"]);
  expect((await file("ecpnd")).status).toBe(200);
  service.clock.set("2026-11-21T00:00:00Z");
  expect((await file("ecqdi")).status).toBe(200);
});

test("a limit holds for questions at once as for one after the other", async () => {
  const { add, get, relay } = await start();
  const bob = await add("bob", { requests: 3 });
  const cas = await add("cas", { downloads: 1 });
  const statuses = async (paths: readonly string[], key: string) =>
    (await Promise.all(paths.map((path) => get(path, { key })))).map(({ status }) => status)
      .toSorted();
  const times = [1, 2, 3, 4, 5].map((i) => `/v1/scores?at=2026-11-20T10:0${i}:00Z`);
  expect(await statuses(times, bob)).toEqual([200, 200, 200, 429, 429]);
  const files = ["ecpnd", "ecqdi"].map((factor) => `/v1/scores/history.csv.gz?factor=${factor}`);
  expect(await statuses(files, cas)).toEqual([200, 429]);
  const spent = (account: string) =>
    relay.journal.entries.filter((entry) => entry.account === account)
      .reduce((sum, entry) => sum + entry.spentRequests, 0);
  expect(spent("bob")).toBe(3);
});

test("the last tenth of the account's minute is left for those who have used less than that", async () => {
  const { add, get, service } = await start({
    service: {
      accounts: [{
        ...{ id: "desk", factors: ["ecpnd", "ecqdi"], keys: [{ key: ACCOUNT_KEY }] },
        limits: { requestsPerMinute: 20 },
      }],
    },
  });
  const bob = await add("bob");
  const at = (minute: number, key?: string) =>
    get(`/v1/scores?at=2026-11-20T10:${minute}:00Z`, key === undefined ? {} : { key });
  const answers = [];
  for (let minute = 10; minute < 30; minute++) answers.push(await at(minute));
  // One of the twenty was for the licence.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(17);
  const refused = answers.at(-1)!;
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await refused.json()).error).toBe("rate_limit_exceeded");
  expect((await at(40, bob)).status).toBe(200);
  service.clock.advance(60_000);
  expect((await at(41)).status).toBe(200);
});

test("a spent budget of the account is 429 with its code and a true Retry-After", async () => {
  const { get } = await start({
    service: {
      accounts: [{
        id: "desk",
        factors: ["ecpnd", "ecqdi"],
        keys: [{ key: ACCOUNT_KEY }],
        limits: { requestsPerMinute: 3 },
      }],
    },
  });
  const at = (minute: number) => get(`/v1/scores?at=2026-11-20T10:0${minute}:00Z`);
  await at(1);
  await at(3);
  const refused = await at(5);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  const body = await refused.json();
  expect(body.error).toBe("rate_limit_exceeded");
  expect(body.message).toContain("The account behind this relay has spent its allowance");
  expect((await at(2)).status).toBe(200);
});

test("a sixth request of a user at once is refused, and one of somebody else is not", async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => goOn = resolve);
  const { get, add } = await start({
    around: async (request, next) => {
      if (request.url.includes("at=")) await held;
      return await next(request);
    },
  });
  const bob = await add("bob");
  await get(`/v1/scores?snapshot_id=${first}`);
  const busy = [1, 2, 3, 4, 5].map((i) => get(`/v1/scores?at=2026-11-20T10:0${i}:00Z`));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const refused = await get(`/v1/scores?snapshot_id=${first}`);
  expect([refused.status, (await refused.json()).error]).toEqual([429, "concurrent_request_limit"]);
  expect((await get(`/v1/scores?snapshot_id=${first}`, { key: bob })).status).toBe(200);
  goOn();
  expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test("allowance() and plan() of a colleague tell the truth, and warm loads go on when it is spent", async () => {
  const { relay, add, folder, service } = await start();
  const bob = await add("bob", { requests: 2, downloads: 1 });
  const api = await connect({
    apiKey: bob,
    baseUrl: "http://relay.test",
    fetch: relay.fetch,
    store: join(folder, "bob"),
    now: () => service.clock.nowMs(),
    environment: {},
  });
  const times = ["10:05", "10:10", "11:05", "11:10"].map((time) => `2026-11-20T${time}:00Z`);
  await api.scores("ecpnd", { at: times[1]! });
  expect((await api.allowance()).day).toMatchObject({ limit: 2, remaining: 1, isTold: true });
  await api.scores("ecpnd", { snapshotId: second });
  expect((await api.allowance()).day.remaining).toBe(0);
  const plan = await api.plan({ verb: "panel", factors: "ecpnd", options: { at: times } });
  expect(plan.allowance.day.remaining).toBe(0);
  // The other two are asked for by ann, and cost bob nothing then.
  await expect(api.scores("ecpnd", { at: times[3]! })).rejects.toThrow("bob may use 2 requests");
  const ann = await add("ann");
  for (const at of times) {
    const headers = { Authorization: `Bearer ${ann}` };
    await relay.fetch(new Request(`http://relay.test/v1/scores?at=${at}`, { headers }));
  }
  const panel = await api.panel("ecpnd", { at: ["2026-11-20T11:00:00Z", times[2]!] });
  expect(panel.height).toBe(16);
  await api.close();
});

test("a user who is revoked while his panel loads reads it at once, and keeps what he has", async () => {
  const { relay, add, folder, service } = await start();
  const bob = await add("bob");
  let answered = 0;
  const api = await connect({
    ...{ apiKey: bob, baseUrl: "http://relay.test", store: join(folder, "bob"), environment: {} },
    now: () => service.clock.nowMs(),
    fetch: async (request) => {
      const response = await relay.fetch(request);
      if (++answered === 2) await relay.users.revoke("bob", service.clock.now());
      return response;
    },
  });
  const at = ["10:30", "11:30", "12:30", "13:30", "14:30"].map((time) => `2026-11-20T${time}:00Z`);
  const loading = api.panel("ecpnd", { at, every: "check" });
  const error = await loading.then(() => null, (reason: Error) => reason);
  expect(error?.message).toContain("401 unauthorized");
  const sent = answered;
  await expect(api.factors()).rejects.toThrow("nothing was sent");
  expect(answered).toBe(sent);
  await api.close();
  const offline = await connect({ offline: true, store: join(folder, "bob"), environment: {} });
  const entries = await Promise.allSettled(at.map((time) => offline.scores("ecpnd", { at: time })));
  expect(entries.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
  await offline.close();
});

test.skipIf(process.getuid?.() !== 0)(
  "users that root adds can be read by the user of the relay",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-state-"));
    try {
      await chown(folder, 12_345, 12_346);
      const given = { environment: "sandbox", now: "2026-11-20T15:00:00.000Z" } as const;
      const user = { name: "ann", requests: null, downloads: null, admin: false };
      await new UserFile(folder).add(user, given);
      const { uid, gid, mode } = await stat(join(folder, "users.json"));
      expect([uid, gid, mode & 0o777]).toEqual([12_345, 12_346, 0o600]);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test("a user of one factor is shown and given that one alone", async () => {
  const desk = await start();
  const key = await desk.add("bob", { factors: ["ecqdi"] });
  const { factors } = await (await desk.get("/v1/factors", { key })).json();
  expect(factors.map(({ factor }: { factor: string }) => factor)).toEqual(["ecqdi"]);
  expect((await desk.get("/v1/scores?factor=ecqdi", { key })).status).toBe(200);
  const paths = ["/v1/scores", "/v1/scores/history?factor=ecpnd", "/v1/scores/history.csv.gz"];
  for (const path of paths) {
    const answer = await desk.get(path, { key });
    expect([answer.status, (await answer.json()).factor]).toEqual([403, "ecpnd"]);
  }
  expect((await desk.get("/v1/scores")).status).toBe(200);
});
