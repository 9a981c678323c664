import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GOOD_LINES, gzipLines, offerRelease, sha256Of } from "./_release_files.ts";
import { pathOf, type Service, startService } from "./_service.ts";

const METADATA = "GET /v1/scores/history?factor=ecpnd";
const HEAD = "HEAD /v1/scores/history.csv.gz?factor=ecpnd";
const FILE = "GET /v1/scores/history.csv.gz?factor=ecpnd";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);
const linesWith = (score: string) => gzipLines(GOOD_LINES.with(1, `2026-08-13,A,${score}`));

describe("history() from the store", () => {
  test("never gives a score that changed in the derived Parquet file", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd", { lazy: true }).withResponse();
    const derived = join(dirname(raw.path), "history.parquet");
    const bytes = await readFile(derived);
    // The upper bytes of 0.25 become those of 0.375: a file of the same size that Polars reads.
    const [quarter, other] = [Buffer.of(0xd0, 0x3f), Buffer.of(0xd8, 0x3f)];
    expect(bytes.includes(quarter)).toBe(true);
    for (let at = bytes.indexOf(quarter); at >= 0; at = bytes.indexOf(quarter)) {
      other.copy(bytes, at);
    }
    await writeFile(derived, bytes);
    const frame = await api.history("ecpnd", { offline: true });
    expect(frame.getColumn("ecpnd_score").toArray()).toEqual([0.5, null, 0.25, 1]);
  });

  test("gives offline the release that came last", async () => {
    const api = await service.connect();
    await api.history("ecpnd");
    service.clock.ms += 1_000;
    await offerRelease(service.fixture.store, linesWith("0.75"));
    await api.history("ecpnd");
    sent();
    expect((await api.history("ecpnd", { offline: true })).row(0)[2]).toBe(0.75);
    expect(sent()).toEqual([]);
  });

  test("takes a checksum in upper case for the same one", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    sent();
    const downloadSha256 = raw.release.downloadSha256.toUpperCase();
    expect((await api.history("ecpnd", { downloadSha256 })).height).toBe(4);
    expect(sent()).toEqual([]);
  });

  test("says that the store gave the rows, also when the metadata were asked for", async () => {
    const api = await service.connect();
    const sourceOf = async () => (await api.history("ecpnd")).getColumn("source").toArray()[0];
    expect([await sourceOf(), await sourceOf()])
      .toEqual(["embedded, synthetic", "store, synthetic"]);
  });
});

describe("history() from the service", () => {
  test("says of metadata that do not tell it that the numbers are synthetic", async () => {
    await offerRelease(service.fixture.store, linesWith("0.75"), { metadata: { extra: {} } });
    const api = await service.connect();
    expect((await api.history("ecpnd")).getColumn("source").toArray()[0]).toBe(
      "embedded, synthetic",
    );
  });

  test("lets a second load of the factor wait for the first, which it then finds in the store", async () => {
    const api = await service.connect();
    await Promise.all([api.history("ecpnd"), api.history("ecpnd")]);
    expect(sent()).toEqual([METADATA, HEAD, FILE, METADATA]);
  });

  test("fails when the file cannot be kept, whatever was read from it", async () => {
    const bytes = linesWith("0.75");
    await offerRelease(service.fixture.store, bytes);
    const api = await service.connect();
    const releases = join(api.store, "ecpnd", "releases");
    await mkdir(releases, { recursive: true });
    await writeFile(join(releases, sha256Of(bytes)), "in the way of the folder");
    await expect(api.history("ecpnd")).rejects.toThrow("Cannot keep the ecpnd history");
    expect(api.allowance().inFlight).toBe(0);
  });

  test("gives up a release that changes with every download after two of them", async () => {
    let day = 1;
    const offerNext = () =>
      offerRelease(service.fixture.store, linesWith(`0.${day}`), {
        availableFrom: `2026-10-0${day++}T00:00:00.000Z`,
      });
    const fetch = async (request: Request) => {
      // What is announced is another file by the time that it is fetched, and so on.
      if (pathOf(request) === FILE && day < 6) await offerNext();
      const response = await service.fetch(request);
      if (pathOf(request) === FILE && day < 6) await offerNext();
      return response;
    };
    const api = await service.connect({ fetch });
    await expect(api.history("ecpnd")).rejects.toThrow("the service changed the release twice");
    expect(sent().filter((request) => request === FILE)).toHaveLength(2);
  });
});
