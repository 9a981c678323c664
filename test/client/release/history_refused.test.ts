import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReleaseReport } from "../../../src/client/release/release_report.ts";
import { IntegrityError } from "../../../src/base/errors.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import {
  FILE,
  GOOD_LINES,
  gzipLines,
  HEAD,
  METADATA,
  offerRelease,
  sha256Of,
} from "./_release_files.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
let store: string;
beforeEach(async () => {
  service = await startService({ withoutReleases: true });
  store = await service.makeFolder();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);
const GOOD = gzipLines(GOOD_LINES);
const SHA256 = sha256Of(GOOD);
const folders = () => readdir(join(store, "ecpnd", "releases"));

async function refusalOf(loading: PromiseLike<unknown>): Promise<IntegrityError> {
  const error = await loading.then(() => null, (error: unknown) => error);
  expect(error).toBeInstanceOf(IntegrityError);
  return error as IntegrityError;
}

/** The service's fetch with other metadata of the release. */
function announcing(change: Record<string, unknown>) {
  return async (request: Request) => {
    const answer = await service.fetch(request);
    if (pathOf(request) !== METADATA) return answer;
    const headers = new Headers(answer.headers);
    headers.delete("Content-Length");
    return Response.json({ ...await answer.json(), ...change }, { headers });
  };
}

describe("a file with the announced checksum that contradicts what is announced of it", () => {
  beforeEach(() => offerRelease(service.fixture.store, GOOD, { metadata: { rows: 5 } }));

  test("is set aside under a name that says so, and the error names it", async () => {
    const api = await service.connect({ store });
    const error = await refusalOf(api.history("ecpnd"));
    const place = join(store, "ecpnd", "releases", `${SHA256}.refused`);
    expect(error.message).toContain(
      `the file is the one that the service announced, and was set aside as ${place}, where it is not read ` +
        "again until the service announces another file or other metadata; the started download " +
        "spent one of the day's 10, 9 are left",
    );
    expect(await folders()).toEqual([`${SHA256}.refused`]);
    expect((await api.releases("ecpnd")).height).toBe(0);
    expect(await verifyStore(await Store.open(store))).toMatchObject({ releases: 0, problems: [] });
  });

  test("is refused again without a download and without being read", async () => {
    await refusalOf((await service.connect({ store })).history("ecpnd"));
    await writeFile(join(store, "ecpnd", "releases", `${SHA256}.refused`, "history.csv.gz"), "");
    sent();
    const api = await service.connect({ store });
    const error = await refusalOf(api.history("ecpnd"));
    expect(error.message).toContain("it was refused earlier, and was set aside as ");
    expect(error.message).toContain("✗ rows: expected 5, got 4");
    expect((error.cause as ReleaseReport).failed.map(({ name }) => name)).toEqual(["rows"]);
    expect(sent()).toEqual([METADATA]);
    for (const downloadSha256 of [undefined, SHA256]) {
      const offline = { offline: true, ...(downloadSha256 && { downloadSha256 }) };
      expect((await refusalOf(api.history("ecpnd", offline))).message).toContain("refused earlier");
    }
    expect(sent()).toEqual([]);
  });

  test.each(["release.json", "refusal.json"])(
    "is loaded and judged again when %s of what was set aside is damaged",
    async (name) => {
      await refusalOf((await service.connect({ store })).history("ecpnd"));
      await writeFile(join(store, "ecpnd", "releases", `${SHA256}.refused`, name), "{");
      sent();
      const api = await service.connect({ store });
      expect((await refusalOf(api.history("ecpnd"))).message).toContain("rows: expected 5");
      expect(sent()).toEqual([METADATA, HEAD, FILE]);
      expect(await folders()).toEqual([`${SHA256}.refused`]);
    },
  );

  test("is judged anew without a download when the service corrects its metadata", async () => {
    await refusalOf((await service.connect({ store })).history("ecpnd"));
    sent();
    const api = await service.connect({ store, fetch: announcing({ rows: 4 }) });
    expect((await api.history("ecpnd")).height).toBe(4);
    expect(sent()).toEqual([METADATA]);
    expect(await folders()).toEqual([SHA256]);
  });

  test("is set aside again when the correction contradicts it as well", async () => {
    await refusalOf((await service.connect({ store })).history("ecpnd"));
    const api = await service.connect({ store, fetch: announcing({ rows: 3 }) });
    const error = await refusalOf(api.history("ecpnd"));
    expect(error.message).toContain("✗ rows: expected 3, got 4");
    expect(await folders()).toEqual([`${SHA256}.refused`]);
    sent();
    expect((await refusalOf(api.history("ecpnd"))).message).toContain("refused earlier");
    expect(sent()).toEqual([METADATA]);
  });

  test("is set aside as well when it was in the store already", async () => {
    await offerRelease(await Store.create(store, service.fixture.store.info), GOOD, {
      metadata: { rows: 5 },
    });
    const api = await service.connect({ store });
    expect((await refusalOf(api.history("ecpnd", { offline: true }))).message).toContain(
      "no download was",
    );
    expect(await folders()).toEqual([`${SHA256}.refused`]);
    expect(sent()).toEqual([]);
  });

  test("does not hide another release, which is loaded as ever", async () => {
    const api = await service.connect({ store });
    await refusalOf(api.history("ecpnd"));
    const other = gzipLines(GOOD_LINES.with(1, "2026-08-13,A,0.75"));
    await offerRelease(service.fixture.store, other, { availableFrom: "2026-10-02T00:00:00.000Z" });
    sent();
    expect((await api.history("ecpnd")).row(0)[2]).toBe(0.75);
    expect((await api.history("ecpnd", { offline: true })).row(0)[2]).toBe(0.75);
    expect(sent()).toEqual([METADATA, HEAD, FILE]);
  });
});

test("a release that was verified stays when a correction of its metadata contradicts it", async () => {
  await offerRelease(service.fixture.store, GOOD);
  await (await service.connect({ store })).history("ecpnd");
  const api = await service.connect({ store, fetch: announcing({ rows: 5 }) });
  const error = await refusalOf(api.history("ecpnd"));
  expect(error.message).toContain(
    "with downloadSha256 it is verified against the metadata that it came with",
  );
  expect(await folders()).toEqual([SHA256]);
  expect((await api.history("ecpnd", { downloadSha256: SHA256 })).height).toBe(4);
});
