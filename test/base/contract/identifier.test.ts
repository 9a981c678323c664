import { expect, test } from "vitest";
import { isSha256, isUuid } from "../../../src/base/contract/identifier.ts";

const UUID = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";
const DIGEST = "0f343b0931126a20f133d67c2b018a3b8e9c5d1d2b1a4f3c6e7d8c9b0a1f2e3d";

test("isUuid() takes either case, and nothing around it", () => {
  expect([UUID, UUID.toUpperCase()].map(isUuid)).toEqual([true, true]);
  for (const value of [`${UUID}0`, ` ${UUID}`, `{${UUID}}`, UUID.replaceAll("-", ""), "", 7]) {
    expect(isUuid(value)).toBe(false);
  }
});

test("isSha256() takes 64 hexadecimal digits in either case", () => {
  expect([DIGEST, DIGEST.toUpperCase()].map(isSha256)).toEqual([true, true]);
  for (const value of [DIGEST.slice(1), `${DIGEST}0`, `g${DIGEST.slice(1)}`, "", null]) {
    expect(isSha256(value)).toBe(false);
  }
});
