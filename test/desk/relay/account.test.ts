import { stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "../../../mod.ts";
import { AccessError } from "../../../src/base/errors.ts";
import { Relay } from "../../../src/desk/relay/relay.ts";
import { ACCOUNT_KEY, useRelays } from "./_relay.ts";

const { start } = useRelays();
const NEXT_KEY = "svc_test_full_access_0002";
const UNAUTHORIZED = {
  ...{ error: "unauthorized", message: "The key was revoked", retryable: false },
  request_id: "5f0c6b0e-8e0f-4a52-9d0a-0d8d4c2f0a11",
};

/** A relay with thirty users and its key in a file, whose service refuses the first key while it is told to. */
async function startDesk(refusal = () => Response.json(UNAUTHORIZED, { status: 401 })) {
  const state = { isRevoked: false, refused: 0 };
  const lines: string[] = [];
  const keys = [{ key: ACCOUNT_KEY }, { key: NEXT_KEY }];
  const desk = await start({
    service: { accounts: [{ id: "desk", factors: ["ecpnd", "ecqdi"], keys }] },
    around: (request, next) => {
      const isFirst = request.headers.get("authorization") === `Bearer ${ACCOUNT_KEY}`;
      if (!state.isRevoked || !isFirst) return next(request);
      state.refused++;
      return Promise.resolve(refusal());
    },
  });
  const keyFile = join(desk.folder, "key");
  await writeFile(keyFile, `${ACCOUNT_KEY}\n`);
  await desk.reopen({ keyFile, onState: (line) => lines.push(line) });
  const users = await Promise.all(Array.from({ length: 30 }, (_, i) => desk.add(`user${i}`)));
  const all = async () =>
    await Promise.all(users.map(async (key) => {
      const answer = await desk.get("/v1/scores", { key });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    }));
  return { desk, state, lines, keyFile, users, all };
}

test("thirty users read of a revoked key that it is the relay's, and go on with the next one from its file", async () => {
  const { desk, state, lines, keyFile, users, all } = await startDesk();
  const api = await connect({
    ...{ apiKey: users[0]!, baseUrl: "http://relay.test", fetch: desk.relay.fetch },
    ...{ store: join(desk.folder, "library"), now: () => desk.service.clock.nowMs() },
    ...{ environment: {}, maxWaitMs: 0 },
  });
  expect(new Set((await all()).map(({ status }) => status))).toEqual(new Set([200]));
  await api.scores("ecpnd");

  state.isRevoked = true;
  desk.service.clock.advance(61_000);
  for (const waitMs of [0, 600_000]) {
    desk.service.clock.advance(waitMs);
    for (const { status, headers, body } of await all()) {
      expect([status, headers.get("retry-after")]).toEqual([503, "30"]);
      expect(headers.get("www-authenticate")).toBe(null);
      expect(body).toMatchObject({
        error: "service_unavailable",
        retryable: true,
        details: { relay: "account_refused", status: 401 },
      });
      expect(body.message).toContain("your own key is in order");
    }
  }
  // A refused key is not sent again unchanged within the lease.
  expect(state.refused).toBe(1);
  const failed = await api.scores("ecpnd").then(() => null, (error: Error) => error);
  expect(failed).not.toBeInstanceOf(AccessError);
  expect(failed?.message).toContain("own key is ");

  await writeFile(keyFile, `${NEXT_KEY}\n`);
  desk.service.clock.advance(30_000);
  expect(new Set((await all()).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await api.scores("ecpnd")).height).toBeGreaterThan(0);
  expect(state.refused).toBe(1);
  expect(lines).toEqual([
    "licensed: ecpnd and ecqdi",
    expect.stringContaining("refuses the key of this relay's account (401 unauthorized)"),
    "licensed: ecpnd and ecqdi",
  ]);
  await api.close();
});

test("a refused key is tried once more after a lease, and as soon as the operator says so", async () => {
  const { desk, state, all } = await startDesk();
  await all();
  state.isRevoked = true;
  desk.service.clock.advance(61_000);
  await all();
  desk.service.clock.advance(3_600_000);
  expect((await all())[0]!.status).toBe(503);
  expect(state.refused).toBe(2);
  state.isRevoked = false;
  expect((await all())[0]!.status).toBe(503);
  expect(await desk.relay.renew()).toEqual(["ecpnd", "ecqdi"]);
  expect(new Set((await all()).map(({ status }) => status))).toEqual(new Set([200]));
});

test.each([
  ["401 without an error object", () => new Response("no", { status: 401 }), 401],
  [
    "403 insufficient_scope",
    () => Response.json({ ...UNAUTHORIZED, error: "insufficient_scope" }, { status: 403 }),
    403,
  ],
])("%s of the service is no 401 or 403 of the relay", async (_, refusal, status) => {
  const { desk, state, all } = await startDesk(refusal);
  await all();
  state.isRevoked = true;
  desk.service.clock.advance(61_000);
  const [first] = await all();
  expect([first!.status, first!.body.details]).toEqual([503, { relay: "account_refused", status }]);
});

test("a key file that cannot be read is told once, and stops nobody", async () => {
  const { desk, state, lines, keyFile, all } = await startDesk();
  await all();
  state.isRevoked = true;
  desk.service.clock.advance(61_000);
  await all();
  await Deno.remove(keyFile);
  await all();
  await all();
  expect(lines.filter((line) => line.startsWith("Cannot read the key"))).toHaveLength(1);
});

test("a second relay over the same store does not start with another key of the account", async () => {
  const desk = await start();
  const second = Relay.open({
    ...{ store: join(desk.folder, "store"), state: join(desk.folder, "other state") },
    ...{ cacheDir: join(desk.folder, "other cache"), apiKey: NEXT_KEY, environment: {} },
    ...{ baseUrl: "http://service.test", fetch: () => Promise.reject(new TypeError("off")) },
  });
  await expect(second).rejects.toThrow("expected no other relay for this account or this store");
  expect((await desk.get("/v1/factors")).status).toBe(200);
});

test("another relay of the same service does not start beside it with another key and another store", async () => {
  const desk = await start();
  const second = (more: object) =>
    Relay.open({
      ...{ store: join(desk.folder, "other store"), state: join(desk.folder, "other state") },
      ...{ cacheDir: join(desk.folder, "cache"), apiKey: NEXT_KEY, environment: {} },
      ...{ baseUrl: "http://service.test", fetch: () => Promise.reject(new TypeError("off")) },
      ...more,
    });
  await expect(second({})).rejects.toThrow("start each with its own --account NAME");
  await (await second({ account: "another" })).close();
});

test("the next key of the account goes on with what the first has spent", async () => {
  const keys = [{ key: ACCOUNT_KEY }, { key: NEXT_KEY }];
  const desk = await start({
    service: { accounts: [{ id: "desk", factors: ["ecpnd"], keys }] },
    // A service that does not tell what is left.
    around: async (request, next) => {
      const answer = await next(request);
      const told = [...answer.headers].filter(([name]) => !name.includes("limit"));
      return new Response(answer.body, { status: answer.status, headers: told });
    },
  });
  await desk.get("/v1/scores");
  const left = async () => (await desk.get("/v1/factors")).headers.get("x-dailylimit-remaining");
  const before = await left();
  await desk.reopen({ apiKey: NEXT_KEY });
  expect(await left()).toBe(String(Number(before) - 1));
});

test("an answer whose Date is two hours behind is served, as that of a proxy with a wrong clock", async () => {
  const desk = await start({
    around: async (request, next) => {
      const answer = await next(request);
      const headers = new Headers(answer.headers);
      headers.set("Date", "Fri, 20 Nov 2026 13:00:00 GMT");
      return new Response(answer.body, { status: answer.status, headers });
    },
  });
  const answer = await desk.get("/v1/scores");
  expect([answer.status, (await answer.json()).last_checked_at])
    .toEqual([200, "2026-11-20T15:00:00.000Z"]);
});

test("a relay removes what a killed one was writing, and leaves what is being written", async () => {
  const desk = await start();
  await desk.get("/v1/scores");
  const [old, young] = ["store/ecpnd/sets/.tmp-old", "state/.tmp-young"].map((name) =>
    join(desk.folder, name)
  ) as [string, string];
  for (const path of [old, young]) await writeFile(path, "half");
  await utimes(old, new Date(0), new Date(0));
  await desk.reopen();
  await expect(stat(old)).rejects.toThrow();
  expect((await stat(young)).size).toBe(4);
});
