import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const OTHER_ID = "00000000-0000-4000-8000-000000000000";

/** The service's fetch, with headers of its CSV or of its JSON answers changed, and their aliases with them. */
function tampering(format: "csv" | "json", headers: Record<string, string>) {
  return async (request: Request) => {
    const response = await service.fetch(request);
    const isCsv = new URL(request.url).searchParams.get("format") === "csv";
    if (isCsv !== (format === "csv")) return response;
    const changed = new Headers(response.headers);
    for (const [name, value] of Object.entries(headers)) {
      changed.set(name, value);
      if (!name.startsWith("X-ECPND-")) changed.set(name.replace("Factor", "ECPND"), value);
    }
    return new Response(await response.arrayBuffer(), {
      status: response.status,
      headers: changed,
    });
  };
}

describe("scores() as CSV refuses", () => {
  test.each([
    [
      "headers of another set than the JSON of the same check",
      { "X-Factor-Snapshot": OTHER_ID },
      `expected $.snapshot_id to be "${OTHER_ID}"`,
    ],
    [
      "another publication time than in JSON",
      { "X-Factor-Calculated-At": "2026-11-20T12:59:00.000Z" },
      "expected X-Factor-Calculated-At to be 2026-11-20T13:00:00.000Z as in JSON",
    ],
    [
      "another cutoff than in JSON",
      { "X-Factor-Data-Through": "2026-11-20T14:54:00.000Z" },
      "expected X-Factor-Data-Through to be 2026-11-20T14:55:00.000Z as in JSON",
    ],
    [
      "a cutoff after its check",
      { "X-Factor-Data-Through": "2026-11-20T15:00:00.001Z" },
      "expected $.data_through to be a time not after the check",
    ],
  ])("%s", async (_, headers, message) => {
    const api = await service.connect({ fetch: tampering("csv", headers) });
    await expect(api.scores("ecpnd", { format: "csv" })).rejects.toMatchObject({
      name: "ContractError",
      message: expect.stringContaining(message),
    });
  });

  test("another check time in JSON, which would replace its own without a word", async () => {
    const earlier = "2026-11-20T14:58:00.000Z";
    const fetch = async (request: Request) => {
      const answer = await service.fetch(request);
      if (request.url.includes("format=csv")) return answer;
      const headers = new Headers(answer.headers);
      headers.delete("Content-Length");
      headers.set("X-Factor-Last-Checked-At", earlier);
      return Response.json({ ...await answer.json(), last_checked_at: earlier }, { headers });
    };
    const api = await service.connect({ fetch });
    await expect(api.scores("ecpnd", { format: "csv" })).rejects.toMatchObject({
      name: "ContractError",
      message: expect.stringContaining(
        'expected X-Factor-Last-Checked-At to be 2026-11-20T14:58:00.000Z as in JSON, got "2026-11-20T15:00',
      ),
    });
  });

  test("a check after the instant that was asked for", async () => {
    const later = { "X-Factor-Last-Checked-At": "2026-11-20T13:00:00.000Z" };
    const api = await service.connect({ fetch: tampering("csv", later) });
    const loading = api.scores("ecpnd", { at: "2026-11-20T12:30:00Z", format: "csv" });
    await expect(loading).rejects.toThrow(
      "expected $.last_checked_at to be no later than 2026-11-20T12:30",
    );
  });

  test("a JSON answer that contradicts its own headers", async () => {
    const headers = { "X-Factor-Status": "call_source_delayed" };
    const api = await service.connect({ fetch: tampering("json", headers) });
    await expect(api.scores("ecpnd", { format: "csv" })).rejects
      .toThrow("expected X-Factor-Status to be");
  });

  test("a status beside an alias that says another one", async () => {
    const fetch = tampering("csv", { "X-ECPND-Status": "stale" });
    const api = await service.connect({ fetch });
    await expect(api.scores("ecpnd", { format: "csv" })).rejects.toThrow(
      /expected X-ECPND-Status to be "[a-z_]+" as in X-Factor-Status, got "stale"; nothing was kept/,
    );
  });

  test("headers of another set than the stored check of that time", async () => {
    let isForged = false;
    const forged = tampering("csv", { "X-Factor-Snapshot": OTHER_ID });
    const api = await service.connect({
      fetch: (request) => isForged ? forged(request) : service.fetch(request),
    });
    await api.scores("ecpnd");
    isForged = true;
    await expect(api.scores("ecpnd", { format: "csv" })).rejects
      .toThrow(`expected $.snapshot_id to be "${OTHER_ID}"`);
  });
});

test("scores() as CSV keeps the status of the CSV answer, which alone knows that a set is stale", async () => {
  const api = await service.connect();
  service.clock.ms = Date.parse("2026-11-20T16:10:00.001Z");
  const frame = await api.scores("ecpnd", { format: "csv" });
  expect(frame.getColumn("status").get(0)).toBe("stale");
});
