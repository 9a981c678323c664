import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Store } from "../../../src/base/store/store.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

// What stands between client and service, and changes what the service says.
type Edit = (body: Record<string, unknown>, headers: Headers) => void;

function through(edit: Edit) {
  return async (request: Request): Promise<Response> => {
    const answer = await service.fetch(request);
    const text = await answer.text();
    const body = text === "" ? {} : JSON.parse(text);
    const headers = new Headers(answer.headers);
    headers.delete("Content-Length");
    edit(body, headers);
    const { status } = answer;
    return new Response(status === 304 ? null : JSON.stringify(body), { status, headers });
  };
}

describe("an answer that cannot be", () => {
  test.each<[string, string, Edit]>([
    [
      "a check in the future",
      "expected $.last_checked_at to be a time not after",
      (body, headers) => {
        body.last_checked_at = "2026-11-20T15:02:00.000Z";
        headers.set("X-Factor-Last-Checked-At", "2026-11-20T15:02:00.000Z");
      },
    ],
    ["data after the check", "expected $.data_through to be a time not after", (body, headers) => {
      body.data_through = "2026-11-20T15:00:00.001Z";
      headers.set("X-Factor-Data-Through", "2026-11-20T15:00:00.001Z");
    }],
    ["the definition of the other factor", "expected $.factor_version to be", (body) => {
      body.factor_version = "ecqdi-v1";
    }],
  ])("is refused: %s", async (_name, words, edit) => {
    const api = await service.connect({ fetch: through(edit) });
    const error = await api.scores("ecpnd").catch((failure: Error) => failure);
    expect(error).toMatchObject({ name: "ContractError", message: expect.stringContaining(words) });
    const store = await Store.open(api.store);
    expect(await store.listChecks("ecpnd")).toEqual([]);
  });

  test("is refused: a set by its id with a later check", async () => {
    const later = "2026-11-20T12:00:00.000Z";
    const api = await service.connect({
      fetch: through((body, headers) => {
        body.last_checked_at = later;
        headers.set("X-Factor-Last-Checked-At", later);
      }),
    });
    await expect(api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first }))
      .rejects.toThrow(
        "expected $.last_checked_at to be the publication of the set, 2026-11-20T10:00",
      );
  });

  test.each(
    [
      ["at an instant", { at: "2026-11-20T12:30:00Z" }],
      ["by its id", { snapshotId: FIXTURE_SETS.ecpnd.first }],
      ["at an instant as CSV", { at: "2026-11-20T12:30:00Z", format: "csv" }],
    ] as const,
  )(
    "is refused: a stale check of a set %s, because age makes no check stale",
    async (_name, view) => {
      const stale = (headers: Headers) => {
        headers.set("X-Factor-Status", "stale");
        headers.set("X-ECPND-Status", "stale");
      };
      const json = through((body, headers) => {
        body.status = "stale";
        stale(headers);
      });
      const api = await service.connect({
        fetch: async (request) => {
          if (!request.url.includes("format=csv")) return await json(request);
          const answer = await service.fetch(request);
          const headers = new Headers(answer.headers);
          stale(headers);
          return new Response(await answer.text(), { headers });
        },
      });
      await expect(api.scores("ecpnd", view)).rejects.toMatchObject({
        name: "ContractError",
        message: expect.stringContaining(
          'expected $.status to be the status that the check recorded, got "stale"',
        ),
      });
      const store = await Store.open(api.store);
      expect(await store.listChecks("ecpnd")).toEqual([]);
    },
  );

  test.each([
    ["X-Factor-Last-Checked-At", "2026-11-20T14:30:00.000Z"],
    ["X-Factor-Data-Through", "2026-11-20T14:00:00.000Z"],
    ["X-Factor-Status", "partial_market_data"],
  ])("is refused: a 304 with another %s than the stored check", async (name, value) => {
    let isForged = false;
    const api = await service.connect({
      fetch: through((_, headers) => {
        if (isForged) headers.set(name, value);
      }),
    });
    await api.scores("ecpnd");
    const store = await Store.open(api.store);
    const known = await store.listChecks("ecpnd");
    isForged = true;
    await expect(api.scores("ecpnd")).rejects.toThrow(`expected ${name} to be`);
    expect(await store.listChecks("ecpnd")).toEqual(known);
  });

  test("is dropped with its validator: a 304 that contradicts the stored check, however often it is repeated", async () => {
    const heard: string[] = [];
    const logger = { debug: () => {}, warn: (text: string) => void heard.push(text) };
    let statuses: number[] = [];
    const forged = through((_, headers) => headers.set("X-Factor-Status", "partial_market_data"));
    const api = await service.connect({
      logger,
      fetch: async (request) => {
        const isAsked = request.headers.has("If-None-Match");
        const answer = isAsked ? await forged(request) : await service.fetch(request);
        statuses.push(answer.status);
        return answer;
      },
    });
    const expected = await api.scores("ecpnd");
    for (let i = 0; i < 2; i++) {
      statuses = [];
      const again = await api.scores("ecpnd");
      expect(again.drop("source", "retrieved_at").rows())
        .toEqual(expected.drop("source", "retrieved_at").rows());
      expect(statuses).toEqual([304, 200]);
    }
    expect(heard.join("\n")).toContain("the 304 was dropped");
  });

  test.each<[string, string, Edit]>([
    ["X-Factor-Name", 'expected X-Factor-Name to be "ecpnd" as in the body', (_body, headers) => {
      headers.set("X-Factor-Name", "ecqdi");
    }],
    ["X-Factor-Calculated-At", "expected X-Factor-Calculated-At to be", (_body, headers) => {
      headers.set("X-Factor-Calculated-At", "2026-11-20T12:59:59.000Z");
    }],
    ["X-Factor-Data-Through", "expected X-Factor-Data-Through to be", (_body, headers) => {
      headers.set("X-Factor-Data-Through", "2026-11-20T14:54:59.000Z");
    }],
    ["X-Factor-Last-Checked-At", "expected X-Factor-Last-Checked-At to be", (_body, headers) => {
      headers.set("X-Factor-Last-Checked-At", "2026-11-20T14:00:00.000Z");
    }],
  ])("is refused: a body that %s contradicts", async (_name, words, edit) => {
    const api = await service.connect({ fetch: through(edit) });
    await expect(api.scores("ecpnd")).rejects.toThrow(words);
  });

  test("is not one whose check is half a minute after its Date: two machines have two clocks", async () => {
    const api = await service.connect({
      fetch: through((body, headers) => {
        const sentMs = Date.parse(headers.get("Date")!);
        body.last_checked_at = new Date(sentMs + 30_000).toISOString();
        headers.set("X-Factor-Last-Checked-At", body.last_checked_at as string);
      }),
    });
    expect((await api.scores("ecpnd")).height).toBe(8);
  });
});
