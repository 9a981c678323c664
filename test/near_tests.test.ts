import { describe, expect, test } from "vitest";
import { nearTests } from "./helpers/source/near_tests.ts";

const FILES = [
  { path: "src/a/parse.ts", imports: [] },
  { path: "src/a/load.ts", imports: ["src/a/parse.ts"] },
  { path: "src/b/draw.ts", imports: ["src/a/load.ts"] },
  { path: "mod.ts", imports: ["src/a/parse.ts", "src/b/draw.ts"] },
  { path: "test/a/parse.test.ts", imports: ["mod.ts"] },
  { path: "test/a/load.test.ts", imports: ["src/a/load.ts"] },
  { path: "src/b/show.ts", imports: ["src/b/draw.ts"] },
  { path: "test/b/show.test.ts", imports: ["src/b/show.ts"] },
  { path: "test/b/draw.test.ts", imports: ["src/b/draw.ts"] },
  { path: "test/face.test.ts", imports: ["mod.ts"] },
];

describe("the tests near a change", () => {
  test("are those of the file's name, and those that import it in two steps at most", () => {
    expect(nearTests(["src/a/parse.ts"], FILES)).toEqual([
      "test/a/load.test.ts",
      "test/a/parse.test.ts",
    ]);
  });

  test("are those of its folder, where no test imports the file", () => {
    const alone = { path: "src/b/colour.ts", imports: [] };
    expect(nearTests([alone.path], [...FILES, alone])).toEqual([
      "test/b/draw.test.ts",
      "test/b/show.test.ts",
    ]);
  });

  test("are not found through a public face", () => {
    expect(nearTests(["src/b/draw.ts"], FILES)).toEqual([
      "test/b/draw.test.ts",
      "test/b/show.test.ts",
    ]);
    expect(nearTests(["mod.ts"], FILES)).toEqual([]);
  });

  test("hold a changed test itself, and none for a document", () => {
    expect(nearTests(["test/face.test.ts", "README.md"], FILES)).toEqual(["test/face.test.ts"]);
  });
});
