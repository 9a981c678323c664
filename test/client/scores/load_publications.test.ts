import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NotFoundError } from "../../../src/base/errors.ts";
import { createScoreServer } from "../../../src/server/mod.ts";
import { Store } from "../../../src/base/store/store.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { KEY, pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);

describe("publications()", () => {
  test("walks back from one publication to the check before it: one request per set", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", { from: "2026-11-20T00:00:00Z" });
    expect(frame.getColumn("snapshot_id").toArray())
      .toEqual([FIXTURE_SETS.ecpnd.second, FIXTURE_SETS.ecpnd.first]);
    expect(frame.getColumn("calculated_at").toArray())
      .toEqual([new Date("2026-11-20T13:00:00Z"), new Date("2026-11-20T10:00:00Z")]);
    expect(frame.getColumn("superseded_at").toArray())
      .toEqual([null, new Date("2026-11-20T13:00:00Z")]);
    expect(frame.getColumn("scored").toArray()).toEqual([7, 7]);
    // Two sets, and one request that finds nothing before the first of them.
    expect(service.requests.map(pathOf)).toEqual([
      "GET /v1/scores?factor=ecpnd",
      "GET /v1/scores?factor=ecpnd&at=2026-11-20T12%3A59%3A59.999Z",
      "GET /v1/scores?factor=ecpnd&at=2026-11-20T09%3A59%3A59.999Z",
    ]);
  });

  test("asks nothing beyond a publication at the start of the interval", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", {
      from: "2026-11-20T13:00:00Z",
      to: "2026-11-20T15:00:00Z",
    });
    expect(frame.getColumn("snapshot_id").toArray()).toEqual([FIXTURE_SETS.ecpnd.second]);
    expect(service.requests).toHaveLength(1);
  });

  test("of an interval without a publication is an empty frame with all columns", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", {
      from: "2026-11-20T13:00:01Z",
      to: "2026-11-20T14:00:00Z",
    });
    expect(frame.height).toBe(0);
    expect(frame.width).toBe(14);
  });

  test("that the store proves cost nothing", async () => {
    const api = await service.connect();
    const interval = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T14:30:00Z" };
    const first = await api.publications("ecqdi", interval);
    const spent = service.requests.length;
    const again = await api.publications("ecqdi", interval);
    expect(service.requests).toHaveLength(spent);
    expect(again.drop("source").toRecords()).toEqual(first.drop("source").toRecords());
  });

  test("of an address that is not the service's is an error, not an empty frame", async () => {
    const { url, close } = await service.server.listen({ port: 0 });
    const store = await service.makeFolder();
    const known = await service.connect({ store });
    const interval = { from: "2026-11-20T09:00:00Z", to: "2026-11-20T12:00:00Z" };
    const whole = await known.publications("ecpnd", interval);
    expect(whole.height).toBe(1);
    const lost = await service.connectTo(`${url}/wrong`);
    await expect(lost.publications("ecpnd", interval)).rejects.toThrow("the base address");
    const spent = service.requests.length;
    // Even where the store proves every set, the end is asked of a service that gives scores.
    const again = await known.publications("ecpnd", interval);
    expect(again.drop("source").toRecords()).toEqual(whole.drop("source").toRecords());
    expect(service.requests.slice(spent).map(pathOf)).toEqual([
      "GET /v1/scores?factor=ecpnd&at=2026-11-20T09%3A59%3A59.999Z",
      "GET /v1/scores?factor=ecpnd",
    ]);
    const astray = await service.connect({
      store,
      fetch: () =>
        Promise.resolve(Response.json({
          error: "score_snapshot_not_available",
          message: "There is no such route",
          request_id: "2c6f0a51-7b52-4d27-9f0e-0a9f7f3f1c55",
          retryable: false,
        }, { status: 404 })),
    });
    await expect(astray.publications("ecpnd", interval)).rejects.toThrow("no such route");
    await close();
  });

  test("of a recording that does not prove them all is an error, not a short list", async () => {
    const recorded = await service.connect({ store: await service.makeFolder() });
    await recorded.scores("ecpnd", { at: "2026-11-20T11:30:00Z" });
    await recorded.scores("ecpnd");
    const server = createScoreServer({
      store: await Store.open(recorded.store),
      accounts: [{ id: "client", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }] }],
      now: () => service.clock.ms,
    });
    const api = await service.connect({ fetch: server.fetch });
    const error = await api.publications("ecpnd", { from: "2026-11-20T00:00:00Z" })
      .catch((failure: NotFoundError) => failure);
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as NotFoundError).details).toEqual({ proved: false });
    await server.close();
  });

  test("up to a time before the first publication is an error that says so", async () => {
    const api = await service.connect();
    await expect(
      api.publications("ecpnd", { from: "2026-11-20T08:00:00Z", to: "2026-11-20T09:30:00Z" }),
    ).rejects.toThrow("a later time");
  });

  test("up to a time in the future are those up to now", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", {
      from: "2026-11-20T13:00:00Z",
      to: "2026-12-20T00:00:00Z",
    });
    expect(frame.getColumn("snapshot_id").toArray()).toEqual([FIXTURE_SETS.ecpnd.second]);
    expect(service.requests.map(pathOf)).toEqual(["GET /v1/scores?factor=ecpnd"]);
  });

  test("refuses an interval that ends before it begins", async () => {
    const api = await service.connect();
    await expect(api.publications("ecpnd", { from: HOURS[3]!, to: HOURS[1]! }))
      .rejects.toThrow(
        "expected an interval whose end is not before its start, got 2026-11-20T13:00:00.000Z to 2026-11-20T11:00:00.000Z",
      );
  });

  test("refuses an interval that begins in the future", async () => {
    const api = await service.connect();
    for (const to of [undefined, "2027-11-20T00:00:00Z"]) {
      const interval = { from: "2027-11-19T00:00:00Z", ...(to !== undefined && { to }) };
      await expect(api.publications("ecpnd", interval)).rejects.toMatchObject({
        name: "RangeError",
        message: "Cannot load publications: expected from not to be in the future, got " +
          "2027-11-19T00:00:00.000Z, and it is 2026-11-20T15:00:05.000Z by the service's clock; use an earlier time",
      });
    }
    expect(service.requests).toHaveLength(0);
  });

  test("without the network names the end up to which the store proves them", async () => {
    const store = await service.makeFolder();
    const online = await service.connect({ store });
    const from = "2026-11-20T13:00:00Z";
    const whole = await online.publications("ecpnd", { from });
    const api = await service.connect({ store, fetch: () => Promise.reject(new Error("offline")) });
    const error = await api.publications("ecpnd", { from, maxRetries: 0 })
      .catch((failure: Error) => failure);
    const to = "2026-11-20T15:00:00.000Z";
    expect(error).toMatchObject({
      name: "TransportError",
      message: expect.stringContaining(`with to: "${to}", the last check of the store`),
    });
    const again = await api.publications("ecpnd", { from, to });
    expect(again.drop("source").toRecords()).toEqual(whole.drop("source").toRecords());
  });

  test("has a publication at the very end of the interval, and none a millisecond after", async () => {
    const api = await service.connect();
    const from = "2026-11-20T10:00:00Z";
    const ids = async (to: string) =>
      (await api.publications("ecpnd", { from, to })).getColumn("snapshot_id").toArray();
    expect(await ids("2026-11-20T13:00:00Z"))
      .toEqual([FIXTURE_SETS.ecpnd.second, FIXTURE_SETS.ecpnd.first]);
    expect(await ids("2026-11-20T12:59:59.999Z")).toEqual([FIXTURE_SETS.ecpnd.first]);
    expect(await ids("2026-11-20T10:00:00Z")).toEqual([FIXTURE_SETS.ecpnd.first]);
  });
});
