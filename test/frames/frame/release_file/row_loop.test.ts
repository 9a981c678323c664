import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { compileRowLoop } from "../../../../.ci/compile_row_loop.ts";
import { createRowLoop } from "../../../../src/frames/frame/release_file/row_loop.ts";
import { ROOT } from "../../../helpers/source_files.ts";

afterEach(() => vi.restoreAllMocks());

describe("the compiled loop over rows", () => {
  test(
    "is committed as its source compiles; otherwise run deno task generate rowloop",
    async () => {
      const path = join(ROOT, "src/frames/frame/release_file/_row_loop_code.ts");
      expect(await readFile(path, "utf8")).toBe(await compileRowLoop());
    },
    60_000,
  );

  test("is replaced by the script where the runtime has no such memory", () => {
    vi.spyOn(WebAssembly, "Memory").mockImplementation(function () {
      throw new RangeError("could not allocate memory");
    });
    expect(createRowLoop(1_000_000).memory.bytes.length).toBeGreaterThan(16_000_000);
    expect(() => createRowLoop(1_000_000, "compiled")).toThrow(RangeError);
  });

  test("takes the memory that the rows need, and little for a small file", () => {
    expect(createRowLoop(60).memory.bytes.length).toBeLessThan(2_000_000);
    expect(createRowLoop(1e9).memory.bytes.length).toBeLessThan(20_000_000);
  });
});
