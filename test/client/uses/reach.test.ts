import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reachText } from "../../../.ci/write_reach.ts";
import { callersOf, FAULTS, isKnownName } from "../../../src/client/uses/reach.ts";
import reach from "../../../src/client/uses/reach.json" with { type: "json" };
import { ROOT } from "../../helpers/source_files.ts";

describe("callersOf()", () => {
  test("follows the source: the table is up to date", async () => {
    expect(JSON.parse(await reachText())).toEqual(reach);
  });

  test.each([
    ["judgement", ["judgement", "saveTables", "tearSheet", "compareSheets"]],
    ["forwardReturns", ["forwardReturns", "analyzeFactor", ".openHoldOut"]],
    ["panel", [".panel"]],
  ])("of %s has what computes with it", (name, callers) => {
    for (const caller of callers) expect(callersOf(name)).toContain(caller);
  });

  test.each([
    ["permutationTest", ["analyzeFactor", "judgement"]],
    ["portfolioReturns", ["informationCoefficient", "align", ".openHoldOut"]],
    ["asOf", [".asOf", "openStudy"]],
  ])("of %s leaves others alone", (name, others) => {
    for (const other of others) expect(callersOf(name)).not.toContain(other);
  });
});

describe("docs/faults.md", () => {
  test("lists the faults that the command reads", async () => {
    const text = await readFile(join(ROOT, "docs", "faults.md"), "utf8");
    const words = text.replaceAll(/\s+/g, " ");
    for (const { name, versions, functions, says } of FAULTS) {
      const listed = functions.map((one) => `\`${one}\``).join(", ");
      expect(words).toContain(`**${name}** (\`${versions}\`, since 0.1.0): ${listed}. ${says}`);
      for (const one of functions) expect(isKnownName(one)).toBe(true);
    }
    expect(words.match(/\*\*[\w-]+\*\* \(/g)).toHaveLength(FAULTS.length);
  });
});
