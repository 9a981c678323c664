import { describe, expect, test } from "vitest";
import { codeCalls } from "../../../src/client/uses/code_calls.ts";

// An address that this repository must not have.
const JSR = "jsr:";
const named = (...pieces: string[]) => codeCalls(pieces).calls.map(({ name }) => name);

describe("codeCalls()", () => {
  test.each([
    ["under its name", `import { align } from "scoreframe/analysis"; align(a, b);`],
    ["under another", `import { align as a } from "${JSR}@scoreframe/scoreframe@0.1.0"; a(1);`],
    ["handed to a function", `import { align } from "npm:scoreframe/analysis"; xs.map(align);`],
    ["in a clone", `import { align } from "../../mod.ts"; align(1);`],
    ["by its module", `import * as sf from "scoreframe"; sf.align(1);`],
    ["loaded later", `const { align: a } = await import("scoreframe"); a(1);`],
    ["of a module loaded later", `const sf = await import("scoreframe"); sf["align"](1);`],
    ["at once", `(await import("scoreframe")).align(1);`],
    ["with types", `import { align, type Trial } from "scoreframe"; align<Trial>(x as never);`],
    ["handed on", `export { align } from "scoreframe/analysis";`],
  ])("finds a function %s", (_, code) => {
    expect(named(code)).toContain("align");
  });

  test.each([
    ["a comment", `import { rank } from "scoreframe"; // align(a)\n/* align(b) */ rank(1);`],
    ["a text", `import { rank } from "scoreframe"; rank("align(a)", 'align', \`align(\${1})\`);`],
    [
      "a function of the file",
      `import { rank } from "scoreframe"; function align() {} align(rank);`,
    ],
    ["another package", `import { align } from "other"; import "scoreframe"; align(1);`],
    ["an import that is never mentioned", `import { align } from "scoreframe";`],
    ["the key of an object", `import { align, rank } from "scoreframe"; rank({ align: 1 });`],
    ["a type", `import type { align } from "scoreframe"; type A = typeof align;`],
    ["a file without this library", `align(1); x.align();`],
  ])("takes no mention from %s", (_, code) => {
    expect(named(code)).not.toContain("align");
  });

  test("finds members, and reads options from values and constants of any cell", () => {
    const cells = [
      `import { openStudy, analyzeFactor } from "scoreframe";\nconst PERIODS: number[] = [1, -5];`,
      "const { costs } = await analyzeFactor(s, p, { periods: PERIODS, what: 'w', maxLoss: loss() });",
      "study.panel('ecpnd', { at });",
    ];
    expect(codeCalls(cells).calls).toEqual([
      { name: ".costs", options: {} },
      { name: "analyzeFactor", options: { periods: [1, -5], what: "w", maxLoss: null } },
      { name: ".panel", options: { at: null } },
    ]);
  });

  test("names the pieces that are no code, and reads the others", () => {
    const { calls, unread } = codeCalls([
      `import { align } from "scoreframe";`,
      "%%bash",
      "align();",
    ]);
    expect(unread).toEqual([2]);
    expect(calls.map(({ name }) => name)).toEqual(["align"]);
  });
});
