import process from "node:process";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    // A file of results for .ci/run, which counts them.
    reporters: process.env["CI"] === undefined
      ? ["default"]
      : ["default", ["json", { outputFile: ".scoreframe/test-results.json" }]],
  },
});
