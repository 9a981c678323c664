import { describe, expect, test } from "vitest";
import { useServers, WAYS } from "./_harness.ts";

describe.each(WAYS)("a ticker filter, %s", (way) => {
  const { start } = useServers();

  test.each([
    ["0012", 0, "0012,0"],
    ["NA", null, "NA,"],
    ["TRUE", 1, "TRUE,1"],
  ])("keeps the score of %s as it is in the set: %j", async (ticker, score, line) => {
    const { get } = await start(way);
    const json = await (await get(`/v1/scores?ticker=${ticker}`)).json();
    expect(json.scores).toEqual([{ ticker, ecpnd_score: score }]);
    const csv = await (await get(`/v1/scores?ticker=${ticker}&format=csv`)).text();
    expect(csv).toBe(`ticker,ecpnd_score\n${line}\n`);
  });
});

describe.each(WAYS)("a partial recording, %s", (way) => {
  const { start } = useServers({ partial: true });

  test("says that it does not prove what was in force between two of its checks", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores?at=2026-11-20T12:30:00Z");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: "score_snapshot_not_available",
      details: { proved: false },
    });
  });

  test("answers at the time of a check", async () => {
    const { get } = await start(way);
    const set = await (await get("/v1/scores?at=2026-11-20T12:00:00Z")).json();
    expect(set.last_checked_at).toBe("2026-11-20T12:00:00.000Z");
  });
});
