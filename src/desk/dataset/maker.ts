import { buildHash } from "../../base/runtime/build_hash.ts";
import { currentEnvironment } from "../../study/current_environment.ts";
import type { Partition } from "./state.ts";

/** A program that wrote a file. */
export type Maker = Partition["maker"];

/** This program. */
export async function currentMaker(): Promise<Maker> {
  const { scoreframe, runtime, polars } = await currentEnvironment();
  return { scoreframe, build: buildHash(), runtime, polars };
}
