import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Store } from "../../src/store/store.ts";
import { FIXTURE_SETS } from "../helpers/fixture_store.ts";
import { type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

// What stands between client and service, and changes what the service says.
type Edit = (body: Record<string, unknown>, headers: Headers) => void;

function through(edit: Edit) {
  return async (request: Request): Promise<Response> => {
    const answer = await service.fetch(request);
    const text = await answer.text();
    const body = text === "" ? {} : JSON.parse(text);
    const headers = new Headers(answer.headers);
    headers.delete("Content-Length");
    edit(body, headers);
    const { status } = answer;
    return new Response(status === 304 ? null : JSON.stringify(body), { status, headers });
  };
}

describe("an answer that cannot be", () => {
  test.each<[string, string, Edit]>([
    ["a check of a time to come", "$.last_checked_at must be a time not after", (body, headers) => {
      body.last_checked_at = "2026-11-20T15:02:00.000Z";
      headers.set("X-Factor-Last-Checked-At", "2026-11-20T15:02:00.000Z");
    }],
    ["data after the check", "$.data_through must be a time not after", (body, headers) => {
      body.data_through = "2026-11-20T15:00:00.001Z";
      headers.set("X-Factor-Data-Through", "2026-11-20T15:00:00.001Z");
    }],
    ["the definition of the other factor", "$.factor_version must be", (body) => {
      body.factor_version = "ecqdi-v1";
    }],
  ])("is refused: %s", async (_name, words, edit) => {
    const api = await service.connect({ fetch: through(edit) });
    const error = await api.scores("ecpnd").catch((failure: Error) => failure);
    expect(error).toMatchObject({
      name: "ContractError",
      message: expect.stringContaining(words),
    });
    const store = await Store.open(api.store);
    expect(await store.listChecks("ecpnd")).toEqual([]);
  });

  test("is refused: a set by its id with a later check", async () => {
    const later = "2026-11-20T12:00:00.000Z";
    const api = await service.connect({
      fetch: through((body, headers) => {
        body.last_checked_at = later;
        headers.set("X-Factor-Last-Checked-At", later);
      }),
    });
    await expect(api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first }))
      .rejects.toThrow("$.last_checked_at must be the publication of the set, 2026-11-20T10:00");
  });

  test.each([
    ["X-Factor-Last-Checked-At", "2026-11-20T14:30:00.000Z"],
    ["X-Factor-Data-Through", "2026-11-20T14:00:00.000Z"],
    ["X-Factor-Status", "partial_market_data"],
  ])("is refused: a 304 with another %s than the stored check", async (name, value) => {
    let isForged = false;
    const api = await service.connect({
      fetch: through((_, headers) => {
        if (isForged) headers.set(name, value);
      }),
    });
    await api.scores("ecpnd");
    const store = await Store.open(api.store);
    const known = await store.listChecks("ecpnd");
    isForged = true;
    await expect(api.scores("ecpnd")).rejects.toThrow(`${name} must be`);
    expect(await store.listChecks("ecpnd")).toEqual(known);
  });
});

describe("a store", () => {
  test("does not answer for a publication that it saw only when it was stale", async () => {
    const api = await service.connect();
    const snapshotId = FIXTURE_SETS.ecpnd.second;
    const { raw } = await api.scores("ecpnd", { snapshotId }).withResponse();
    const other = await service.connect();
    const store = await Store.open(other.store);
    await store.putSet({
      factor: "ecpnd",
      snapshotId,
      factorVersion: "ecpnd-v1",
      calculatedAt: "2026-11-20T13:00:00.000Z",
      rows: raw.rows,
    });
    await store.putCheck({
      check: { ...raw.check, status: "stale" },
      retrievedAt: "2026-11-20T14:59:00.000Z",
      origin: "http://embedded.localhost",
    });
    const spent = service.requests.length;
    const frame = await other.scores("ecpnd", { snapshotId });
    expect(frame.getColumn("status").get(0)).toBe("current");
    expect(service.requests).toHaveLength(spent + 1);
  });

  test.each([
    ["sets", "0.125", "0.126"],
    ["checks", '"current"', '"stale"'],
  ])("with a changed digit in its %s does not become a frame", async (folder, was, is) => {
    const api = await service.connect();
    const at = "2026-11-20T13:00:00Z";
    await api.scores("ecpnd", { at });
    const [name] = await readdir(join(api.store, "ecpnd", folder));
    const path = join(api.store, "ecpnd", folder, name!);
    const text = await readFile(path, "utf8");
    expect(text).toContain(was);
    await writeFile(path, text.replace(was, is));
    await expect(api.scores("ecpnd", { at })).rejects.toMatchObject({
      name: "IntegrityError",
      message: expect.stringContaining("it was changed since"),
    });
    await writeFile(path, text);
    expect((await api.scores("ecpnd", { at })).height).toBe(8);
  });

  test("of another service is refused: its numbers are not those of this one", async () => {
    const [first, second] = [
      await service.server.listen({ port: 0 }),
      await service.server.listen({ port: 0 }),
    ];
    const store = await service.makeFolder();
    await service.connectTo(first.url, { store });
    await expect(service.connectTo(second.url, { store })).rejects.toThrow(
      `it must hold what ${second.url} gave, it holds what ${first.url} gave`,
    );
    await service.connectTo(first.url, { store });
    await first.close();
    await second.close();
  });
});

test("maxAgeMs counts by the service's clock, not by that of a machine which is behind", async () => {
  const api = await service.connect({ now: () => service.clock.ms - 3_600_000 });
  service.clock.ms += 40 * 60_000;
  // Data through 14:55, asked at 15:40.
  await expect(api.scores("ecpnd", { maxAgeMs: 30 * 60_000 })).rejects.toThrow("is 45");
  expect((await api.scores("ecpnd", { maxAgeMs: 46 * 60_000 })).height).toBe(8);
});
