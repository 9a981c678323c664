// @heavy: installations from a registry
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ROOT } from "../helpers/source_files.ts";

const PATIENCE_MS = 600_000;

describe("the nodejs-polars of the library", () => {
  test("is locked with its native package for each system that users have", async () => {
    const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const { npm } = JSON.parse(await readFile(join(ROOT, "deno.lock"), "utf8"));
    const version = dependencies["nodejs-polars"];
    const machines = ["darwin-arm64", "darwin-x64", "linux-arm64-gnu", "linux-x64-gnu"];
    for (const machine of [...machines, "linux-x64-musl", "win32-x64-msvc"]) {
      // Another version's native part, by an override, would be another library under the same name.
      expect(npm).toHaveProperty([`nodejs-polars-${machine}@${version}`, "integrity"]);
    }
  });

  test("may be a newer one: what reads and makes frames passes with 0.26.1", async () => {
    const args = ["run", "-A", join(ROOT, ".ci/test_polars.ts"), "0.26.1", "test/frames/frame"];
    const { stdout } = await promisify(execFile)(Deno.execPath(), args, {
      cwd: ROOT,
      env: { ...Deno.env.toObject(), CI: "", NO_COLOR: "1" },
      maxBuffer: 2 ** 26,
    });
    expect(stdout).toContain("nodejs-polars 0.26.1, pinned is 0.25.2");
    expect(stdout).toMatch(/Tests {2}\d+ passed/);
    expect(stdout).not.toMatch(/\d+ failed/);
  }, PATIENCE_MS);
});
