import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cacheFolder, folderNameOf } from "../../src/client/open_storage.ts";

describe("the cache folder", () => {
  test("is below XDG_CACHE_HOME", () => {
    expect(cacheFolder({ XDG_CACHE_HOME: "/tmp/cache" })).toBe("/tmp/cache/scoreframe");
  });

  test.each([undefined, "", "relative/cache"])(
    "is below ~/.cache for XDG_CACHE_HOME %j",
    (home) => {
      expect(cacheFolder({ XDG_CACHE_HOME: home })).toBe(join(homedir(), ".cache", "scoreframe"));
    },
  );
});

describe("the folder of a service", () => {
  test.each([
    ["https://api.example.com", "https-api.example.com"],
    ["https://api.example.com:8443", "https-api.example.com_8443"],
    ["http://127.0.0.1:8787", "http-127.0.0.1_8787"],
    ["https://gateway.example.com/research", "https-gateway.example.com_research"],
    ["http://[::1]:8080", "http-_1_8080"],
  ])("of %s is %s", (origin, name) => {
    expect(folderNameOf(origin)).toBe(name);
  });

  test("tells http from https, and ports apart", () => {
    const origins = ["http://a.example", "https://a.example", "http://a.example:81"];
    expect(new Set(origins.map(folderNameOf)).size).toBe(3);
  });
});
