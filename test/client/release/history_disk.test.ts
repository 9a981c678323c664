import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StorageError } from "../../../src/base/errors.ts";
import { withCost } from "../../../src/client/release/release_errors.ts";
import { FILE, GOOD_METADATA } from "./_release_files.ts";
import { pathOf, type Service, startService } from "../_service.ts";

const { EDQUOT, EFBIG } = constants.errno;

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const downloads = () => service.requests.map(pathOf).filter((path) => path === FILE);

/** A store in which the folder of the releases is what a test makes of it. */
async function connectWith(makeReleases: (path: string) => Promise<unknown>) {
  const store = join(await service.makeFolder(), "store");
  const api = await service.connect({ store });
  await mkdir(join(store, "ecpnd"));
  await makeReleases(join(store, "ecpnd", "releases"));
  return api;
}

describe("history() into a store that cannot be written", () => {
  const message =
    /^Cannot download the ecpnd history: expected a store that can be written, got an error in .*store, ".*"; connect with another store; no download was spent$/;

  test("says so before a download is spent when the folder of releases cannot be made", async () => {
    const api = await connectWith((path) => writeFile(path, "in the way of the folder"));
    await expect(api.history("ecpnd")).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringMatching(message),
    });
    expect(downloads()).toEqual([]);
    expect((await api.allowance()).download.remaining).toBe(10);
  });

  // No process can make a file there, not even that of the administrator.
  test.skipIf(process.platform !== "linux")(
    "says so before a download is spent when the folder is there and takes no file",
    async () => {
      const api = await connectWith((path) => symlink("/proc/sys", path));
      await expect(api.history("ecpnd")).rejects.toMatchObject({
        name: "StorageError",
        message: expect.stringMatching(message),
      });
      expect(downloads()).toEqual([]);
    },
  );

  test("leaves nothing behind of finding out that it can", async () => {
    const api = await service.connect({
      fetch: async (request) => {
        if (pathOf(request) === FILE) return new Response(null, { status: 500 });
        return await service.fetch(request);
      },
    });
    await expect(api.history("ecpnd")).rejects.toThrow("500");
    expect(await readdir(join(api.store, "ecpnd", "releases"))).toEqual([]);
  });
});

describe("what the disk refused while a file was received", () => {
  const announced = {
    factor: "ecpnd",
    release: { ...GOOD_METADATA, downloadSha256: "0" },
    sizeBytes: 1,
  } as const;
  const told = {
    storePath: "/store",
    cost: "the started download spent one of the day's 10, 9 are left",
  };
  const said = 'Cannot keep the ecpnd history: expected a writable disk, got an error in /store, "';
  const end =
    "\"; the started download spent one of the day's 10, 9 are left, and nothing was kept";

  test.each([
    [
      "a code",
      Object.assign(new Error("no space left"), { code: "ENOSPC" }),
      "no space left (ENOSPC)",
    ],
    [
      "no code",
      new Error(`File too large (os error ${EFBIG})`),
      `File too large (os error ${EFBIG}) (EFBIG)`,
    ],
    [
      "a quota and no code",
      new Error(`Disk quota exceeded (os error ${EDQUOT})`),
      `Disk quota exceeded (os error ${EDQUOT}) (EDQUOT)`,
    ],
    [
      "a write that took nothing",
      new StorageError("Cannot write a: expected room on the disk, got none; make room"),
      "Cannot write a: expected room on the disk, got none; make room",
    ],
  ])("is told with what it cost, with %s", (_name, error, words) => {
    expect(withCost(error, announced, told)).toMatchObject({
      name: "StorageError",
      message: `${said}${words}${end}`,
      cause: error,
    });
  });

  test("is nothing that another mistake is taken for", () => {
    const mistake = new TypeError("x is not a function");
    expect(withCost(mistake, announced, told)).toBe(mistake);
  });
});
