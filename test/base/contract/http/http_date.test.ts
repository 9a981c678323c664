import { describe, expect, test } from "vitest";
import { parseHttpDate } from "../../../../src/base/contract/http/header.ts";

describe("parseHttpDate()", () => {
  test.each([
    "Fri, 20 Nov 2026 15:00:15 GMT",
    "Friday, 20-Nov-26 15:00:15 GMT",
    "Fri Nov 20 15:00:15 2026",
  ])("reads the form %j of HTTP", (text) => {
    expect(parseHttpDate(text)).toBe(1_795_186_815_000);
  });

  test("reads a day of one digit in the form of asctime()", () => {
    expect(parseHttpDate("Sun Nov  1 00:00:00 2026")).toBe(1_793_491_200_000);
  });

  test.each([
    "",
    "1 GMT",
    "2026-11-20T15:00:15Z",
    "Fri, 20 Nov 2026 15:00:15",
    "Fri, 20 Nov 2026 15:00:15 EST",
    "Fri, 20 Nov 2026 25:00:15 GMT",
    "Sun, 31 Feb 2026 15:00:15 GMT",
    "Fri, 20 Nix 2026 15:00:15 GMT",
  ])("reads %j as no date", (text) => {
    expect(parseHttpDate(text)).toBeNull();
  });
});
