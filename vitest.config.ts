import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

// A test file is heavy by nature (a browser, a Jupyter kernel, engines in Java, a hundred kills, memory at four times the
// data) if one of its first lines is `// @heavy: ` and the reason. `deno task test` leaves it out, `.ci/run` does not.
const HEAVY_TAG = /^\/\/ @heavy: ./m;

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const heavy = readdirSync(`${ROOT}test`, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts")).map((path) => `test/${path}`)
  .filter((path) => HEAVY_TAG.test(readFileSync(`${ROOT}${path}`, "utf8").slice(0, 400)));

const IS_CI = process.env["CI"] !== undefined;

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: "heavy", include: heavy },
      },
      {
        extends: true,
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...heavy],
        },
      },
    ],
    // Hints name the Deno that npx fetched if npx started the command, as continuous integration does.
    env: { npm_command: "" },
    globalSetup: `${ROOT}test/helpers/run_folder.ts`,
    // Nothing is measured by it: it ends what hangs, and has to be far from what a busy machine needs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One worker fewer than cores is the default, and half of a machine with two stands idle. A third on two cores gains
    // nothing: the whole suite took 1248 s.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { poll: { timeout: 60_000 } },
    // In CI: a file of results for .ci/run, which counts them.
    reporters: IS_CI
      ? ["default", ["json", { outputFile: ".scoreframe/test-results.json" }]]
      : ["default"],
  },
});
