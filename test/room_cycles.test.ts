import { describe, expect, test } from "vitest";
import { roomCycles } from "./helpers/source/room_cycles.ts";

describe("the rooms of a wing", () => {
  test("are folders and the files beside them, and may not import each other", () => {
    const files = [
      { path: "src/a/low/x.ts", imports: ["src/a/high/y.ts"] },
      { path: "src/a/high/y.ts", imports: [] },
      { path: "src/a/high/z.ts", imports: ["src/a/low/x.ts"] },
    ];
    expect(roomCycles("src/a", files)).toEqual([{
      rooms: ["src/a/low", "src/a/high"],
      imports: ["src/a/low/x.ts → src/a/high/y.ts", "src/a/high/z.ts → src/a/low/x.ts"],
    }]);
  });

  test("may not either by way of a file beside them, nor within a room", () => {
    const files = [
      { path: "src/a/model.ts", imports: ["src/a/low/deep/x.ts"] },
      { path: "src/a/low/deep/x.ts", imports: ["src/a/low/wide/y.ts"] },
      { path: "src/a/low/wide/y.ts", imports: ["src/a/low/deep/z.ts", "src/a/model.ts"] },
      { path: "src/a/low/deep/z.ts", imports: [] },
    ];
    expect(roomCycles("src/a", files).map(({ rooms }) => rooms)).toEqual([
      ["src/a/model.ts", "src/a/low"],
      ["src/a/low/deep", "src/a/low/wide"],
    ]);
  });

  test("may form a ladder", () => {
    const files = [
      { path: "src/a/top.ts", imports: ["src/a/mid/x.ts", "src/a/low/y.ts"] },
      { path: "src/a/mid/x.ts", imports: ["src/a/low/y.ts", "src/b/z.ts"] },
      { path: "src/a/low/y.ts", imports: [] },
    ];
    expect(roomCycles("src/a", files)).toEqual([]);
  });
});
