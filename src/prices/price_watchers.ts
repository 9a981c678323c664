import type { HeldOut } from "../frame/provenance/held_out.ts";

/** Told of a file of prices before it is read; gives the hold-out of its study, or `null`. */
export type PriceWatcher = (path: string) => Promise<HeldOut | null>;

/** Functions that are called with each file of prices before it is read, by the folder of an open study. */
export const priceWatchers: Map<string, PriceWatcher> = new Map();
