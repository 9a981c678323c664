import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GOOD_LINES, gzipLines, offerRelease } from "./_release_files.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);

describe("releases()", () => {
  test("lists what the store holds, the newest first, without a request", async () => {
    const api = await service.connect();
    expect((await api.releases("ecpnd")).height).toBe(0);
    const first = await api.history("ecpnd").withResponse();
    service.clock.ms += 1000;
    const lines = GOOD_LINES.with(1, "2026-08-13,A,0.75");
    const second = await offerRelease(service.fixture.store, gzipLines(lines));
    await api.history("ecpnd");
    sent();
    const kept = await api.releases("ecpnd");
    expect(
      kept.select("factor", "download_sha256", "row_count", "last_session", "retrieved_at").rows(),
    )
      .toEqual([
        ["ecpnd", second, 4, new Date("2026-08-14"), new Date("2026-11-20T15:00:06.000Z")],
        [
          "ecpnd",
          first.raw.release.downloadSha256,
          4,
          new Date("2026-08-14"),
          new Date("2026-11-20T15:00:05.000Z"),
        ],
      ]);
    expect(sent()).toEqual([]);
    await expect(api.releases("ecxyz" as "ecpnd")).rejects.toThrow(TypeError);
  });
});
