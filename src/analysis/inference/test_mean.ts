import { describe } from "../../base/contract/violation.ts";
import {
  BLOCK_LENGTH,
  checkOptions,
  FLAG,
  oneOf,
  type OptionRule,
  type Rule,
  ruleBy,
  TEXT,
  whole,
} from "../../base/arguments/check_options.ts";
import { type BootstrapOptions, testByBootstrap } from "./method/test_by_bootstrap.ts";
import { testByEwc } from "./method/test_by_ewc.ts";
import type { InferenceMethod, TestedMean } from "./tested_mean.ts";
import {
  type NeweyWestOptions,
  testByHansenHodrick,
  testByNeweyWest,
} from "./method/test_by_autocovariances.ts";
import { nonOverlapping } from "./method/non_overlapping.ts";
import { type MeanSeries, toObservations } from "./observations.ts";

/** Estimator of the standard error of a mean: the default, or another method with its own options. */
export type Inference =
  | { readonly method: "ewc" | "hansen-hodrick" | "non-overlapping" }
  | { readonly method: "newey-west" } & Omit<NeweyWestOptions, "against">
  | { readonly method: "bootstrap" } & BootstrapOptions;

/** An estimator and its options. */
export const INFERENCE: Rule<Inference> = ruleBy(
  'an estimator such as { method: "ewc" }',
  (_, inference: Inference) => assertInference(inference),
);

/** Options of the bootstrap. */
export const BOOTSTRAP: Rule<BootstrapOptions> = ruleBy(
  "an object",
  (_, given: BootstrapOptions) => assertInference({ method: "bootstrap", ...given }),
);

const PLAIN = { method: TEXT };
const OPTIONS: Readonly<Record<InferenceMethod, Readonly<Record<string, OptionRule>>>> = {
  ewc: PLAIN,
  "newey-west": {
    ...PLAIN,
    criticalValues: oneOf("fixed-b", "normal"),
    correction: FLAG,
    lag: whole(0),
  },
  "hansen-hodrick": PLAIN,
  "non-overlapping": PLAIN,
  bootstrap: { ...PLAIN, draws: whole(99), seed: whole(0), block: BLOCK_LENGTH },
};

/**
 * Tests the mean of a series by session.
 *
 * @param series The series; NaN stands for null
 * @param inference Estimator of the standard errors; equal-weighted cosines by default
 * @param against Null hypothesis about the mean
 */
export function testMean(
  series: MeanSeries,
  inference: Inference = { method: "ewc" },
  against = 0,
): TestedMean {
  assertInference(inference);
  const observations = toObservations(series);
  switch (inference.method) {
    case "ewc":
      return testByEwc(observations, against);
    case "hansen-hodrick":
      return testByHansenHodrick(observations, against);
    case "non-overlapping":
      return nonOverlapping(observations, against).middle;
    case "newey-west":
      return testByNeweyWest(observations, { ...inference, against });
    case "bootstrap":
      return testByBootstrap(observations, { ...inference, against });
  }
}

/**
 * Refuses an unknown method, and options that a method does not have.
 *
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If the method is unknown or a number is out of range
 */
function assertInference(inference: Inference): void {
  const known = OPTIONS[inference?.method];
  if (known === undefined) {
    throw new RangeError(
      `Cannot test a mean: expected method to be one of ${Object.keys(OPTIONS).join(", ")}, got ` +
        describe(inference?.method),
    );
  }
  checkOptions(`test a mean by ${inference.method}`, inference, known);
}
