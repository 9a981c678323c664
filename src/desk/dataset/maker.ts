import { buildHash } from "../../base/runtime/build_hash.ts";
import { currentEnvironment } from "../../study/current_environment.ts";

/** Program that wrote a file. */
export interface Maker {
  /** Version of scoreframe. */
  readonly scoreframe: string;
  /** Hash of its sources that compute numbers. */
  readonly build: string;
  /** Runtime and its version. */
  readonly runtime: string;
  /** Version of Polars. */
  readonly polars: string;
}

/** This program. */
export async function currentMaker(): Promise<Maker> {
  const { scoreframe, runtime, polars } = await currentEnvironment();
  return { scoreframe, build: buildHash(), runtime, polars };
}
