import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// What `deno task test:fast` leaves out: tests that start processes or a Jupyter kernel, run the documents, or take
// more than five seconds. A new file of that kind goes on this list, or is named `processes.test.ts`.
const SLOW = [
  "test/**/processes.test.ts",
  "test/notebooks*.test.ts",
  "test/{packed,served}.test.ts",
  "test/supply/{bundle,installed,polars}.test.ts",
  "test/report/sheet/accessible.test.ts",
  "test/report/sheet/{in_jupyter_lab,printed}.test.ts",
  "test/site/{pictures,site}.test.ts",
  "test/desk/dataset/{jobs,sql}.test.ts",
  "test/desk/dataset/as_of/as_of.test.ts",
  "test/frames/notebook/api_in_kernel.test.ts",
  "test/frames/notebook/frame/{table_script,in_jupyter_lab}.test.ts",
  "test/frames/notebook/kernel/kernel.test.ts",
  "test/{docs,docs_python,types}.test.ts",
  "test/app/demo/demo.test.ts",
  "test/app/cli/analyse.test.ts",
  "test/desk/dataset/engines.test.ts",
  "test/desk/dataset/part/{analyze_partition,memory}.test.ts",
  "test/app/cli/{demo/demo,lab/*,serve/serve}.test.ts",
  "test/analysis/alphalens/installed.test.ts",
  "test/desk/dataset/part/merge_parts.test.ts",
  "test/analysis/calibration/calibration.test.ts",
  "test/analysis/factor/world.test.ts",
  "test/analysis/hostile_calls.test.ts",
  "test/client/adversarial/*.test.ts",
  "test/client/recording/recording_sweep.test.ts",
  "test/client/release/history_wrong_files.test.ts",
  "test/server/{conformance,outside,rules,schemathesis}.test.ts",
  "test/server/http/{delivery,hostile,transport}.test.ts",
  "test/desk/relay/{faulty_hour,killed,processes,rules}.test.ts",
  "test/study/{damage/flips,one_flight,killed,killed_anywhere,notebook_study,run/run_notebooks,share/validator}.test.ts",
  "test/app/cli/study/*.test.ts",
  "test/server/world/{build_world,check_source}.test.ts",
  "test/server/world/release/release_writer.test.ts",
];

/** Slow files first: short ones fill what is left of the last minutes, in which a worker would wait for the other. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => project.name === "slow" ? 0 : 1;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "slow",
          include: SLOW,
          globalSetup: fileURLToPath(new URL("test/helpers/run_folder.ts", import.meta.url)),
        },
      },
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...SLOW],
        },
      },
    ],
    // Nothing is measured by it: it ends what hangs, and has to be far from what a busy machine needs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    sequence: { sequencer: SlowFirst },
    // One worker fewer than cores is the default, and half of a machine with two stands idle. A third on two cores gains
    // nothing: the whole suite took 1248 s.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { poll: { timeout: 60_000 } },
    // A file of results for .ci/run, which counts them.
    reporters: process.env["CI"] === undefined
      ? ["default"]
      : ["default", ["json", { outputFile: ".scoreframe/test-results.json" }]],
  },
});
