import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FILE, GOOD_LINES, gzipLines, HEAD, METADATA, offerRelease } from "./_release_files.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
let store: string;
beforeEach(async () => {
  service = await startService();
  store = await service.makeFolder();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);
const linesWith = (score: string) => gzipLines(GOOD_LINES.with(1, `2026-08-13,A,${score}`));

/** A store as a process leaves it that is killed between the file of a release and its metadata. */
async function loadAndForget(cacheDir: string): Promise<string> {
  const api = await service.connect({ store, cacheDir });
  const { raw } = await api.history("ecpnd").withResponse();
  await api.close();
  await rm(join(dirname(raw.path), "release.json"));
  sent();
  return raw.path;
}

/** The note of a download that has begun, which its process would have taken back at its end. */
async function noteBegun(cacheDir: string): Promise<void> {
  const folder = join(cacheDir, "ledgers");
  const [name] = (await readdir(folder)).filter((name) => name.endsWith(".sqlite"));
  const database = new DatabaseSync(join(folder, name!));
  const note = database.prepare("INSERT OR REPLACE INTO unfinished VALUES (?, ?)");
  note.run("ecpnd", "2026-11-20T14:00:00.000Z");
  database.close();
}

describe("history() finds a file whose metadata were never kept", () => {
  test("and adopts it: no download is spent, and later loads find it", async () => {
    const path = await loadAndForget(await service.makeFolder());
    const api = await service.connect({ store });
    const { data, raw } = await api.history("ecpnd").withResponse();
    expect([data.height, raw.path]).toEqual([4, path]);
    expect(sent()).toEqual([METADATA]);
    expect((await api.history("ecpnd", { offline: true })).height).toBe(4);
    expect((await api.releases("ecpnd")).height).toBe(1);
    expect(sent()).toEqual([]);
  });

  test("and does not say later that its download came to nothing", async () => {
    const cacheDir = await service.makeFolder();
    await loadAndForget(cacheDir);
    await noteBegun(cacheDir);
    const notices: string[] = [];
    const logger = { warn: (text: string) => void notices.push(text), debug() {} };
    const api = await service.connect({ store, cacheDir, logger });
    await api.history("ecpnd");
    await offerRelease(service.fixture.store, linesWith("0.75"));
    await api.history("ecpnd");
    expect(notices.join()).not.toContain("and used up");
  });

  test("but not one with another checksum: it is loaded again, and is the announced one", async () => {
    const path = await loadAndForget(await service.makeFolder());
    await writeFile(path, linesWith("0.125"));
    const api = await service.connect({ store });
    expect((await api.history("ecpnd")).row(0)[2]).toBe(0.5);
    expect(sent()).toEqual([METADATA, HEAD, FILE]);
    expect((await api.history("ecpnd", { offline: true })).row(0)[2]).toBe(0.5);
  });

  test("when its turn comes: the process that had the place before may have been killed", async () => {
    const path = await loadAndForget(await service.makeFolder());
    const bytes = await readFile(path);
    await rm(dirname(path), { recursive: true });
    const api = await service.connect({
      store,
      fetch: async (request) => {
        const answer = await service.fetch(request);
        if (pathOf(request) !== HEAD) return answer;
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, bytes);
        return answer;
      },
    });
    expect((await api.history("ecpnd")).height).toBe(4);
    expect(sent()).toEqual([METADATA, HEAD]);
  });
});
