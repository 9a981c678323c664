export type { Partition } from "./state.ts";
