import { readFile } from "node:fs/promises";

/** What scipy, statsmodels and arch say; `make_inference.py` made it. */
export interface KnownInference {
  readonly distributions: {
    readonly student: readonly [number, number, number, number][];
    readonly studentQuantiles: readonly [number, number, number][];
    readonly normal: readonly [number, number, number][];
    readonly f: readonly [number, number, number, number][];
  };
  readonly series: readonly KnownSeries[];
  readonly fixedB: readonly [number, number][];
  readonly regression: readonly {
    readonly overlap: number;
    readonly market: readonly number[];
    readonly returns: readonly number[];
    readonly coefficients: readonly number[];
    readonly rSquared: number;
    readonly df: number;
    readonly standardErrors: readonly number[];
    readonly p: readonly number[];
  }[];
  readonly joint: {
    readonly overlap: number;
    readonly series: readonly (readonly number[])[];
    readonly f: number;
    readonly df2: number;
    readonly p: number;
  };
  readonly periods: {
    readonly groups: readonly {
      readonly mean: number;
      readonly standardError: number;
      readonly df: number;
    }[];
    readonly f: number;
    readonly df: readonly [number, number];
    readonly p: number;
  };
  readonly adjusted: Readonly<Record<string, readonly number[]>>;
  readonly performance: Readonly<Record<string, number>> & { readonly returns: never };
  readonly decay: {
    readonly lags: readonly number[];
    readonly means: readonly number[];
    readonly errors: readonly number[];
    readonly level: number;
    readonly halfLife: number;
  };
}

/** One series with the errors of its mean. */
export interface KnownSeries {
  readonly horizon: number;
  readonly values: readonly number[];
  readonly mean: number;
  readonly deviation: number;
  readonly ewc: Readonly<Record<string, number>>;
  readonly neweyWest: readonly KnownError[];
  readonly corrected: readonly boolean[];
  readonly hansenHodrick: KnownError;
  readonly blockLength: number;
  readonly starts: readonly number[];
}

interface KnownError {
  readonly lag: number;
  readonly standardError: number;
  readonly t: number;
  readonly p: number;
}

/** The committed values. */
export async function knownInference(): Promise<KnownInference> {
  return JSON.parse(await readFile(new URL("./inference.json", import.meta.url), "utf8"));
}
