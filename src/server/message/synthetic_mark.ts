import type { HeaderField } from "./message.ts";

/** Marks an answer whose numbers are made up; in CSV nothing else could say so. */
export const SYNTHETIC: HeaderField = ["X-Scoreframe-Synthetic", "true"];
