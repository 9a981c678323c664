import { assertKnownOptions } from "../../arguments/check_options.ts";
import { type BootstrapOptions, testByBootstrap } from "./method/test_by_bootstrap.ts";
import { testByEwc } from "./method/test_by_ewc.ts";
import { testByHansenHodrick } from "./method/test_by_hansen_hodrick.ts";
import type { InferenceMethod, TestedMean } from "./tested_mean.ts";
import { type NeweyWestOptions, testByNeweyWest } from "./method/test_by_newey_west.ts";
import { nonOverlapping } from "./method/non_overlapping.ts";
import { type MeanSeries, toObservations } from "./observations.ts";

/** How the error of a mean is estimated: the default, or another method with its own options. */
export type Inference =
  | { readonly method: "ewc" | "hansen-hodrick" | "non-overlapping" }
  | { readonly method: "newey-west" } & Omit<NeweyWestOptions, "against">
  | { readonly method: "bootstrap" } & BootstrapOptions;

const OPTIONS: Readonly<Record<InferenceMethod, readonly string[]>> = {
  ewc: ["method"],
  "newey-west": ["method", "lag", "criticalValues", "correction"],
  "hansen-hodrick": ["method"],
  "non-overlapping": ["method"],
  bootstrap: ["method", "draws", "seed", "block"],
};

/**
 * Tests the mean of a series by session.
 *
 * @param series The series; NaN stands for null
 * @param inference How; equal-weighted cosines by default
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
 * Refuses a method that there is not, and options that a method does not have.
 *
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If the method is unknown or a number is out of range
 */
export function assertInference(inference: Inference): void {
  const known = OPTIONS[inference?.method];
  if (known === undefined) {
    throw new RangeError(
      `Cannot test a mean: the method is one of ${Object.keys(OPTIONS).join(", ")}, got ` +
        JSON.stringify(inference?.method),
    );
  }
  assertKnownOptions(`test a mean by ${inference.method}`, inference, known);
  if (inference.method === "newey-west") assertWhole("lag", inference.lag, 0);
  if (inference.method === "bootstrap") {
    assertWhole("draws", inference.draws, 99);
    assertWhole("seed", inference.seed, 0);
    if (inference.block !== undefined && !(inference.block >= 1)) {
      throw new RangeError(`Cannot test a mean: block is 1 or more, got ${inference.block}`);
    }
  }
}

function assertWhole(name: string, value: number | undefined, from: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= from)) return;
  throw new RangeError(
    `Cannot test a mean: ${name} is a whole number from ${from} on, got ${value}`,
  );
}
