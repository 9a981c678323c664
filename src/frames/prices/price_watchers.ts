import type { HeldOut } from "../frame/provenance/held_out.ts";

/** Called with a file of prices before it is read; returns the hold-out of its study, or `null`. */
export type PriceWatcher = (path: string) => Promise<HeldOut | null>;

/** Functions called with each file of prices before it is read, by the folder of an open study. */
export const priceWatchers: Map<string, PriceWatcher> = new Map();
