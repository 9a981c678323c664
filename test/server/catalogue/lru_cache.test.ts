import { expect, test } from "vitest";
import { LruCache } from "../../../src/server/catalogue/caches.ts";

test("LruCache forgets what was used longest ago, when its weight is exceeded", () => {
  const cache = new LruCache<number>(10);
  for (const [i, key] of ["a", "b", "c"].entries()) cache.set(key, i, { weight: 3 });
  expect(cache.get("a")).toBe(0);
  cache.set("d", 3, { weight: 4 });
  expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
  expect(cache.weight).toBe(10);
});

test("LruCache keeps its entries when a new one is too heavy, and counts a replacement once", () => {
  const cache = new LruCache<string>(10);
  cache.set("a", "kept", { weight: 9 });
  cache.set("b", "too heavy", { weight: 11 });
  expect([cache.get("a"), cache.get("b")]).toEqual(["kept", undefined]);
  cache.set("a", "lighter", { weight: 2 });
  expect(cache.weight).toBe(2);
  cache.set("a", "too heavy now", { weight: 11 });
  expect([cache.get("a"), cache.weight]).toEqual([undefined, 0]);
});
