import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe("log()", () => {
  test("has one row for each attempt", async () => {
    const api = await service.connect();
    await api.scores("ecpnd");
    await api.scores("ecpnd");
    await api.scores("ecpnd", { at: "2027-01-01T00:00:00Z" }).catch(() => {});
    const log = api.log();
    expect(log.getColumn("status").toArray()).toEqual([200, 304, 400]);
    expect(log.getColumn("problem").toArray())
      .toEqual([null, null, "future_observation_requested"]);
    expect(log.getColumn("request_id").toArray().every((id) => /^[0-9a-f-]{36}$/.test(String(id))))
      .toBe(true);
  });
});
