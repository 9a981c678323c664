import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StorageError } from "../../../src/base/errors.ts";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

async function breakLedger(cacheDir: string): Promise<string> {
  const folder = join(cacheDir, "ledgers");
  const name = (await readdir(folder)).find((name) => name.endsWith(".sqlite"))!;
  const database = new DatabaseSync(join(folder, name));
  database.exec("DROP TABLE account");
  database.close();
  return join(folder, name);
}

test("a ledger that fails between two loads is named, and nothing is sent", async () => {
  const cacheDir = await service.makeFolder();
  const api = await service.connect({ cacheDir });
  await api.factors();
  const path = await breakLedger(cacheDir);
  const sent = service.requests.length;
  const error: Error = await api.scores("ecpnd").then(() => null, (error) => error);
  expect(error).toBeInstanceOf(StorageError);
  expect(error.message).toContain(`Cannot use the allowance ledger ${path}`);
  expect(error.message).not.toContain("network");
  expect(service.requests).toHaveLength(sent);
  await api.close();
});

test("a lease whose end the disk refused is given up by the next connection of the process", async () => {
  const cacheDir = await service.makeFolder();
  const folder = join(cacheDir, "ledgers");
  let ledger: DatabaseSync | null = null;
  const api = await service.connect({
    cacheDir,
    fetch: async (request) => {
      const answer = await service.fetch(request);
      // From now on the account's row cannot be changed, as on a full disk.
      const name = (await readdir(folder)).find((found) => found.endsWith(".sqlite"))!;
      ledger = new DatabaseSync(join(folder, name));
      ledger.exec(
        "CREATE TRIGGER full BEFORE INSERT ON account BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
      );
      return answer;
    },
  });
  const failed: Error = await api.factors().then(() => null, (error) => error);
  expect(failed).toBeInstanceOf(StorageError);
  expect(failed.message).toContain("disk is full");
  ledger!.exec("DROP TRIGGER full");
  ledger!.close();
  const again = await service.connect({ cacheDir, maxWaitMs: 0 });
  expect((await again.factors()).height).toBeGreaterThan(0);
  expect((await again.allowance()).inFlight).toBe(0);
  await api.close();
});

test("a ledger that fails while a request is in flight is named, not the network, and ends the call", async () => {
  const cacheDir = await service.makeFolder();
  let path: string | null = null;
  const api = await service.connect({
    cacheDir,
    fetch: async (request) => {
      path ??= await breakLedger(cacheDir);
      return await service.fetch(request);
    },
  });
  const error: Error = await api.scores("ecpnd").then(() => null, (error) => error);
  expect(error).toBeInstanceOf(StorageError);
  expect(error.message).toContain(`allowance ledger ${path}`);
  expect(service.requests).toHaveLength(1);
  await api.close();
});
