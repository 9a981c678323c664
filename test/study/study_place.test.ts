import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createScoreServer } from "../../src/server/mod.ts";
import { openStudyFolder } from "../../src/study/open_study_folder.ts";
import { buildWorld } from "../../src/server/world/mod.ts";
import { KEY } from "../client/_service.ts";
import { startStudyService, type StudyService } from "./_study.ts";

let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
});
afterEach(() => service.close());

describe("the lock of a study", () => {
  test("names the world that the service plays, with the parameters that make it again", async () => {
    const { store } = await buildWorld(join(folder, "../server/world"), { tickers: 20, hours: 24 });
    const server = createScoreServer({
      store,
      accounts: [{ id: "me", factors: ["ecpnd"], keys: [{ key: KEY }] }],
      clock: { at: "2026-11-20T15:00:00Z" },
    });
    const study = await openStudyFolder(folder, {
      mode: "auto",
      apiKey: KEY,
      fetch: server.fetch,
      asOf: "2026-11-20T14:30:00Z",
      environment: {},
      now: () => service.clock.ms,
    });
    await study.scores("ecpnd");
    expect(study.lock!.world).toEqual({
      name: "Synthetic service history, seed 7: 20 tickers, releases of 2 years, 24 hours of " +
        "checks to 2026-11-20T15:00:00.000Z",
      seed: 7,
      tickers: 20,
      years: 2,
      hours: 24,
      end: "2026-11-20T15:00:00.000Z",
      factorVersions: { ecpnd: "ecpnd-v1", ecqdi: "ecqdi-v1" },
    });
    expect(study.methods()).toContain("service history, seed 7: 20 tickers");
    await study.close();
    await server.close();
  });

  test("has no world where the service is none, and none of an unreadable description", async () => {
    for (const said of [null, "", "[1]", "7", "{"]) {
      const place = `${folder}-${said?.length}`;
      const fetch = async (request: Request) => {
        const response = await service.fetch(request);
        const headers = new Headers(response.headers);
        headers.delete("X-Scoreframe-World");
        if (said !== null) headers.set("X-Scoreframe-World", said);
        return new Response(response.body, { status: response.status, headers });
      };
      const study = await service.open(place, { fetch });
      await study.scores("ecpnd");
      expect(study.lock!.world, `${said}`).toBeNull();
    }
  });

  test("has no time that the service has not reached, whatever this machine's clock says", async () => {
    const asOf = "2026-11-20T16:00:00Z";
    const now = () => Date.parse("2026-11-21T00:00:00Z");
    const study = await service.open(folder, { asOf, now });
    await expect(study.scores("ecpnd")).rejects.toThrow(
      /expected asOf .*got 2026-11-20T16:00:00\.000Z at 2026-11-20T15:00:05\.000Z/,
    );
    expect(study.lock).toBeNull();
  });
});
