import { expect, test } from "vitest";
import { encodeStoreInfo, parseStoreInfo } from "../../../src/base/store/store_info.ts";

const INFO = {
  format: 1,
  kind: "world",
  description: "A world",
  synthetic: true,
  complete: { from: "2026-11-19T00:00:00.000Z", through: "2026-11-20T00:00:00.000Z" },
  origin: { seed: 7 },
} as const;
const text = (change: Record<string, unknown>) => JSON.stringify({ ...INFO, ...change });

test("store.json comes back from parse and encode as it was", () => {
  expect(parseStoreInfo(encodeStoreInfo(INFO))).toEqual(INFO);
  const recording = { ...INFO, kind: "recording", synthetic: false, complete: null } as const;
  expect(parseStoreInfo(encodeStoreInfo(recording))).toEqual(recording);
});

test("a store is synthetic if it says so, and complete if it names the span", () => {
  const bare = parseStoreInfo(JSON.stringify({ format: 1, kind: "recording" }));
  expect(bare).toEqual({
    format: 1,
    kind: "recording",
    description: "",
    synthetic: false,
    complete: null,
    origin: {},
  });
});

test.each([
  [{ format: 2 }, "store.json.format: expected 1, got 2"],
  [{ format: "1" }, 'store.json.format: expected 1, got "1"'],
  [{ kind: "cache" }, 'store.json.kind: expected "world" or "recording", got "cache"'],
  [{ complete: { from: "yesterday", through: "x" } }, "store.json.complete.from"],
  [{ complete: { from: "2026-11-19T00:00:00Z" } }, "store.json.complete.through"],
])("store.json with %j is refused", (change, message) => {
  expect(() => parseStoreInfo(text(change))).toThrow(message);
});
