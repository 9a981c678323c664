import type { HeaderField } from "./message.ts";

/** Marks an answer with synthetic numbers; CSV has no other place for it. */
export const SYNTHETIC: HeaderField = ["X-Scoreframe-Synthetic", "true"];
