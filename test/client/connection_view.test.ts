import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shownBundle } from "../helpers/shown_bundle.ts";
import { KEY, type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe("a connection", () => {
  test("shows service, key hint, store and allowance, and nothing of the key", async () => {
    const store = await service.makeFolder();
    const api = await service.connect({ store });
    await api.factors();
    const lines = String(api).split("\n").map((line) => line.trim().replace(/ {2,}/g, ": "));
    expect(lines).toEqual([
      "Connection",
      "service: http://embedded.localhost",
      "key: svc_test_…6789",
      `store: ${store}`,
      "requests left this minute: 119 of 120",
      "requests left today: 9,999 of 10,000",
      "downloads left today: 10 of 10",
    ]);
    const bundle = await shownBundle(api);
    expect(bundle["text/plain"]).toBe(String(api));
    expect(bundle["text/html"]).toContain(`>store</td><td style="text-align:left">${store}</td>`);
    expect(Deno.inspect(api)).toBe(String(api));
    expect(JSON.stringify(bundle)).not.toContain(KEY);
  });

  test("shows itself after it was closed as well", async () => {
    const cacheDir = await service.makeFolder();
    const api = await service.connect({ cacheDir });
    await api.close();
    expect(String(api)).toContain("connection is closed");
  });
});
