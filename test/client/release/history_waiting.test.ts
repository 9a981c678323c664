import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FILE } from "./_release_files.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

/** A connection whose download begins and never goes on. */
async function connectHanging() {
  const begun = Promise.withResolvers<void>();
  const api = await service.connect({
    fetch: (request) => {
      if (pathOf(request) !== FILE) return service.fetch(request);
      begun.resolve();
      const headers = { "Content-Type": "application/gzip" };
      return Promise.resolve(new Response(new ReadableStream(), { headers }));
    },
  });
  return { api, begun: begun.promise };
}

describe("a download that hangs", () => {
  test("holds another load of the history no longer than its deadlineMs", async () => {
    const { api, begun } = await connectHanging();
    const hanging = expect(api.history("ecpnd")).rejects.toThrow("closed one");
    await begun;
    const sent = service.requests.length;
    await expect(api.history("ecpnd", { deadlineMs: 50 })).rejects.toThrow(
      "Cannot load the ecpnd history: expected the whole call to end within deadlineMs 50, got no end by then; another " +
        "load of this history in this notebook has not ended, so nothing was sent; await that one first",
    );
    expect(service.requests).toHaveLength(sent);
    await api.close();
    await hanging;
  });

  test("is ended by close(), and leaves nothing behind", async () => {
    const { api, begun } = await connectHanging();
    const waiting = ["ecpnd", "ecpnd"].map((factor) =>
      expect(api.history(factor as "ecpnd")).rejects.toThrow("closed one")
    );
    await begun;
    await api.close();
    await Promise.all(waiting);
  });
});
