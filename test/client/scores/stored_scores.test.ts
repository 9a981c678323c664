import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Store } from "../../../src/base/store/store.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

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
      message: expect.stringContaining("expected the file as it was written, got a changed one"),
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
      new RegExp(`${second.url}, .*${first.url};`),
    );
    await service.connectTo(first.url, { store });
    await first.close();
    await second.close();
  });

  test("that has a set without its publication says by which view it gives the numbers offline", async () => {
    let isReachable = true;
    const fetch = (request: Request) =>
      isReachable ? service.fetch(request) : Promise.reject(new Error("no network"));
    const api = await service.connect({ fetch, maxRetries: 0 });
    const given = await api.scores("ecpnd", { at: "2026-11-20T12:30:00Z" });
    isReachable = false;
    const snapshotId = FIXTURE_SETS.ecpnd.first;
    await expect(api.scores("ecpnd", { snapshotId })).rejects.toMatchObject({
      name: "TransportError",
      message: expect.stringMatching(
        /no network.*; the store has the numbers of this set, but not the check of its publication; at: "2026-11-20T12:00:00.000Z" returns them offline/,
      ),
    });
    const again = await api.scores("ecpnd", { at: "2026-11-20T12:00:00.000Z" });
    expect(again.select("ticker", "ecpnd_score", "snapshot_id").rows())
      .toEqual(given.select("ticker", "ecpnd_score", "snapshot_id").rows());
    await expect(api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.second })).rejects
      .toThrow(/check the address[^;]*$/);
  });

  test("that has a set and no check of it has no view to name", async () => {
    const given = await service.connect();
    const snapshotId = FIXTURE_SETS.ecpnd.first;
    const { raw } = await given.scores("ecpnd", { snapshotId }).withResponse();
    let isReachable = true;
    const fetch = (request: Request) =>
      isReachable ? service.fetch(request) : Promise.reject(new Error("no network"));
    const api = await service.connect({ fetch, maxRetries: 0 });
    await api.scores("ecpnd", { at: "2026-11-20T14:30:00Z" });
    await (await Store.open(api.store)).putSet({ ...raw.check, rows: raw.rows });
    isReachable = false;
    await expect(api.scores("ecpnd", { snapshotId })).rejects.toThrow(/check the address[^;]*$/);
  });

  test("whose check contradicts its set says which files to look at", async () => {
    const api = await service.connect();
    const store = await Store.open(api.store);
    const { raw } = await service.connect().then((other) =>
      other.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first }).withResponse()
    );
    const { check, rows } = raw;
    await store.putSet({ ...check, factorVersion: "ecpnd-v2", rows });
    await store.putCheck({
      check,
      retrievedAt: "2026-11-20T14:59:00.000Z",
      origin: "http://embedded.localhost",
    });
    await expect(api.scores("ecpnd", { at: check.lastCheckedAt })).rejects.toMatchObject({
      name: "IntegrityError",
      message: expect.stringContaining(
        "to be ecpnd-v1 of 2026-11-20T10:00:00.000Z, got ecpnd-v2 of " +
          "2026-11-20T10:00:00.000Z; remove the wrong one from",
      ),
    });
  });
});
