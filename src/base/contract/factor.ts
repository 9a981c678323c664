import { ContractViolation } from "./violation.ts";

/** A research factor of the service. */
export type Factor = "ecpnd" | "ecqdi";

/** The two factors, in the order of the API document. */
export const FACTORS: readonly Factor[] = ["ecpnd", "ecqdi"];

/** Factor of a request without `factor`, whatever the account's licences (section 4.3). */
export const DEFAULT_FACTOR: Factor = "ecpnd";

/** The measurement of each factor (section 1). */
export const FACTOR_MEANING: Readonly<Record<Factor, string>> = {
  ecpnd: "earnings call participation network and dynamics",
  ecqdi: "earnings call quantitative dynamics and intensity",
};

/**
 * Name of a score field, in JSON rows, CSV headers and frames.
 *
 * @internal
 */
export type ScoreName = "ecpnd_score" | "ecqdi_score";

/** True if the value names a factor; names are case-sensitive. */
export function isFactor(value: unknown): value is Factor {
  return value === "ecpnd" || value === "ecqdi";
}

/**
 * Reads the name of a factor.
 *
 * @throws {ContractViolation} If it is neither `ecpnd` nor `ecqdi`
 */
export function parseFactor(value: unknown, path = "factor"): Factor {
  if (isFactor(value)) return value;
  throw new ContractViolation(path, '"ecpnd" or "ecqdi"', value);
}

/** The name of the factor's score field. */
export function scoreNameOf(factor: Factor): ScoreName {
  return `${factor}_score`;
}
