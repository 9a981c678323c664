import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { useRelays } from "./_relay.ts";

const { start } = useRelays();
const FILE = "/v1/scores/history.csv.gz";
const FIRST = FIXTURE_SETS.ecpnd.first;

test("a set is asked for by its id once, and its licence with the first request", async () => {
  const { get, seen } = await start();
  for (let i = 0; i < 3; i++) {
    const response = await get(`/v1/scores?snapshot_id=${FIRST}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-scoreframe-relay")).toBe(`spent=${i === 0 ? 1 : 0}, age=0`);
    const { scores } = await response.json();
    expect(scores[2]).toEqual({ ticker: "A", ecpnd_score: 0.25 });
  }
  expect(seen()).toEqual(["GET /v1/factors", `GET /v1/scores?factor=ecpnd&snapshot_id=${FIRST}`]);
});

test("the answer is the service's, header by header, but for the table of differences", async () => {
  const { get, service } = await start();
  const own = ["date", "etag", "x-request-id", "x-scoreframe-relay"];
  const budget = /^x-(ratelimit|dailylimit|downloadlimit)-/;
  for (
    const path of [
      "/v1/factors",
      "/v1/scores",
      "/v1/scores?factor=ecqdi&format=csv",
      "/v1/scores?ticker=NA",
      "/v1/scores?at=2026-11-20T12:30:00Z",
      `/v1/scores?snapshot_id=${FIRST}&format=csv`,
      "/v1/scores/history",
      FILE,
    ]
  ) {
    const direct = await service.fetch(
      new Request(`http://x${path}`, {
        headers: { Authorization: "Bearer svc_test_full_access_0001" },
      }),
    );
    // Read at once: the file keeps the account's one download until then.
    const asked = await direct.arrayBuffer();
    const relayed = await get(path);
    const facts = (response: Response) =>
      [...response.headers].filter(([name]) => !own.includes(name) && !budget.test(name));
    expect([path, relayed.status, facts(relayed)]).toEqual([path, direct.status, facts(direct)]);
    const told = await relayed.arrayBuffer();
    expect(new Uint8Array(told), path).toEqual(new Uint8Array(asked));
  }
});

test("an instant inside a proven interval costs nothing, one outside it costs a request", async () => {
  const { get, entries } = await start();
  const statuses = [];
  for (const at of ["12:50:00", "12:00:00", "12:30:00", "12:49:59.999", "12:51:00"]) {
    const response = await get(`/v1/scores?at=2026-11-20T${at}Z`);
    statuses.push([response.headers.get("x-scoreframe-relay")!.split(",")[0]]);
    expect((await response.json()).last_checked_at).toBe("2026-11-20T12:00:00.000Z");
  }
  expect(statuses.flat()).toEqual(["spent=1", "spent=0", "spent=0", "spent=0", "spent=1"]);
  expect(entries().length).toBe(3);
});

test("the latest check is asked for once a minute for each factor, and is never older", async () => {
  const { get, service, seen } = await start();
  const latest = (factor: string) => get(`/v1/scores?factor=${factor}`);
  for (const factor of ["ecpnd", "ecqdi", "ecpnd"]) await latest(factor);
  const first = ["GET /v1/factors", "GET /v1/scores?factor=ecpnd", "GET /v1/scores?factor=ecqdi"];
  expect(seen()).toEqual(first);
  service.clock.advance(59_000);
  expect((await latest("ecpnd")).headers.get("x-scoreframe-relay")).toBe("spent=0, age=59");
  expect(seen()).toEqual(first);
  service.clock.advance(1_000);
  await latest("ecpnd");
  await latest("ecpnd");
  expect(seen()).toEqual([...first, "GET /v1/scores?factor=ecpnd"]);
});

test("the latest check is asked for with the validator, and a 304 stands for the stored set", async () => {
  const { get, service, entries } = await start();
  await get("/v1/scores");
  service.clock.advance(60_000);
  const response = await get("/v1/scores");
  expect(entries().at(-1)!.status).toBe(304);
  expect((await response.json()).scores.length).toBe(8);
});

test("the status of the latest check is judged by time, between two questions as well", async () => {
  const { get, service, entries } = await start({
    relay: { latestAgeMs: 7_200_000, leaseMs: 7_200_000 },
  });
  const statusAt = async (time: string) => {
    service.clock.set(`2026-11-20T${time}Z`);
    const response = await get("/v1/scores");
    return [response.headers.get("x-factor-status"), (await response.json()).status];
  };
  // Cutoff 14:55: 75 minutes later is 16:10.
  expect(await statusAt("15:00:00")).toEqual(["current", "current"]);
  expect(await statusAt("16:10:00")).toEqual(["current", "current"]);
  expect(await statusAt("16:10:00.001")).toEqual(["stale", "stale"]);
  expect(entries().length).toBe(2);
});

test("one question in flight serves all who ask it, and who hangs up ends it for nobody", async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => goOn = resolve);
  const { get, add, seen } = await start({
    around: async (request, next) => {
      if (request.url.includes("snapshot_id")) await held;
      return await next(request);
    },
  });
  const bob = await add("bob");
  await get("/v1/factors");
  const gone = new AbortController();
  const path = `/v1/scores?snapshot_id=${FIRST}`;
  const first = get(path, { signal: gone.signal }).catch((error: Error) => error.name);
  const others = [1, 2, 3].map(() => get(path, { key: bob }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  gone.abort();
  expect(await first).toBe("AbortError");
  goOn();
  const spent = (await Promise.all(others)).map((
    { status, headers },
  ) => [status, headers.get("x-scoreframe-relay")!.split(",")[0]]);
  expect(spent).toEqual([[200, "spent=0"], [200, "spent=0"], [200, "spent=0"]]);
  expect(seen().filter((line) => line.includes("snapshot_id")).length).toBe(1);
});

test("a release is downloaded once, and served to all, to HEAD and to conditional requests", async () => {
  const { get, add, entries } = await start();
  const bob = await add("bob");
  const { download_sha256: sha256, download } = await (await get("/v1/scores/history")).json();
  expect(download).toBe("/v1/scores/history.csv.gz?factor=ecpnd");
  const head = await get(FILE, { method: "HEAD" });
  const files = await Promise.all([get(FILE), get(FILE, { key: bob })]);
  for (const response of files) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    expect(String(bytes.length)).toBe(head.headers.get("content-length"));
  }
  const etag = files[0]!.headers.get("etag")!;
  expect(head.headers.get("etag")).toBe(etag);
  expect((await get(FILE, { headers: { "If-None-Match": etag } })).status).toBe(304);
  expect(entries().map(({ method, target }) => `${method} ${target.split("?")[0]}`)).toEqual([
    "GET /v1/factors",
    "GET /v1/scores/history",
    "HEAD /v1/scores/history.csv.gz",
    "GET /v1/scores/history.csv.gz",
  ]);
});

test("a release that is there spends no download after a restart, and is compared with what is offered", async () => {
  const { get, entries, reopen } = await start();
  expect((await get(FILE)).status).toBe(200);
  await reopen();
  expect((await get(FILE)).status).toBe(200);
  expect(entries().filter(({ spentDownloads }) => spentDownloads > 0).length).toBe(1);
  expect(entries().filter(({ target }) => target.includes("history?")).length).toBe(2);
});

test("what the service refuses is refused with its own code and words", async () => {
  const { get, service } = await start();
  for (
    const path of [
      "/v1/scores?at=2026-11-20T09:00:00Z",
      "/v1/scores?snapshot_id=00000000-0000-4000-8000-000000000000",
      "/v1/scores?ticker=NOPE",
      "/v1/scores?at=2026-11-20T15:00:30Z",
      "/v1/scores?at=2026-11-21T15:00:00Z",
      "/v1/scores?factor=other",
    ]
  ) {
    const direct = await service.fetch(
      new Request(`http://x${path}`, {
        headers: { Authorization: "Bearer svc_test_full_access_0001" },
      }),
    );
    const relayed = await get(path);
    const [told, asked] = [await relayed.json(), await direct.json()];
    expect([path, relayed.status, { ...told, request_id: "" }])
      .toEqual([path, direct.status, { ...asked, request_id: "" }]);
  }
});
