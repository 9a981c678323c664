import { sha256Hex } from "../../base/store/layout.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { CalendarDate, Instant } from "../../base/contract/instant.ts";
import * as z from "zod/mini";
import {
  aCount,
  aDate,
  aFactor,
  aHash,
  anInstant,
  aNumber,
  aText,
  flat,
  object,
  read,
  readBy,
  variants,
  write,
} from "../../base/contract/schema.ts";
import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";

/** Plan of a registered test. */
export interface RegisteredPlan {
  /** Name of the test. */
  readonly name: string;
  /** Question that it answers. */
  readonly question: string;
  /** Factor that is tested. */
  readonly factor: Factor;
  /** Source of its scores: the history release, or the sets in force at the closes of sessions. */
  readonly scores: "history" | "panel";
  /** Horizons in sessions, ascending. */
  readonly horizons: readonly number[];
  /** In-sample periods by name; an end that is `null` is that of the data. */
  readonly periods: Readonly<
    Record<string, { readonly from: CalendarDate | null; readonly to: CalendarDate | null }>
  >;
  /** Tickers, or the label of the universe; `null` for all rows. */
  readonly universe: string | readonly string[] | null;
  /** Path of the prices in the folder of the study; `null` for its one input. */
  readonly prices: string | null;
  /** Number of stocks below which a session has no IC. */
  readonly minNames: number;
  /** First date that is held out. */
  readonly holdOutFrom: CalendarDate;
}

const TICKERS = z.array(aText);
const PLAN = object<RegisteredPlan>({
  name: aText,
  question: aText,
  factor: aFactor,
  scores: z.enum(["history", "panel"]),
  horizons: z.array(aCount),
  periods: z.record(
    z.string(),
    object<RegisteredPlan["periods"][string]>({ from: z.nullable(aDate), to: z.nullable(aDate) }),
  ),
  universe: z.nullable(readBy<string | readonly string[]>(
    (value, path) => Array.isArray(value) ? read(TICKERS, value, path) : read(aText, value, path),
  )),
  prices: z.nullable(aText),
  minNames: aCount,
  holdOutFrom: aDate,
});

/** A line of the list `registered`. */
export type LockedEntry =
  & {
    /** The service's time at which it was written. */
    readonly at: Instant;
    /** Name of the test. */
    readonly name: string;
    /** Hashes of the last entries when it was written: none for the first one, several after a merge. */
    readonly before: readonly string[];
    /** Hash of its line without this field. */
    readonly sha256: string;
  }
  & (
    /** A registered test: its plan, and the data seen before it. */
    | {
      /** Kind of the entry. */
      readonly kind: "plan";
      /** The plan. */
      readonly plan: RegisteredPlan;
      /** Number of views and releases of the lock that reached into the hold-out when it was registered. */
      readonly loadedBefore: number;
      /** Number of earlier looks at its hold-out, by other registered tests. */
      readonly looksBefore: number;
    }
    /** A look at a hold-out, written before its numbers are shown. */
    | {
      /** Kind of the entry. */
      readonly kind: "look";
      /** 1 for the first look of the test. */
      readonly number: number;
      /** Hash of the entry of its plan. */
      readonly of: string;
      /** The study's time at the look. */
      readonly asOf: Instant;
      /** First session of the hold-out. */
      readonly first: CalendarDate;
      /** Last session of the hold-out that had closed. */
      readonly last: CalendarDate;
      /** Checksum of the release; `null` for a panel. */
      readonly release: string | null;
      /** SHA-256 of the prices. */
      readonly prices: string;
    }
    /** The numbers of a look. */
    | {
      /** Kind of the entry. */
      readonly kind: "result";
      /** Number of the look. */
      readonly number: number;
      /** Hash of the entry of the look. */
      readonly of: string;
      /** In-sample numbers, then those of the hold-out. */
      readonly numbers: readonly RegisteredNumber[];
    }
  );

/** A registered test: its plan, and the data seen before it. */
export type LockedPlan = Extract<LockedEntry, { readonly kind: "plan" }>;

/** A look at a hold-out, written before its numbers are shown. */
export type LockedLook = Extract<LockedEntry, { readonly kind: "look" }>;

/** The numbers of a look. */
export type LockedResult = Extract<LockedEntry, { readonly kind: "result" }>;

// One hash stands alone.
const HASHES = readBy<readonly string[]>(
  (value, path) =>
    value === null
      ? []
      : Array.isArray(value)
      ? read(z.array(aHash), value, path)
      : [read(aHash, value, path)],
  (hashes) => hashes.length > 1 ? hashes : hashes[0] ?? null,
);
const CHAIN = { before: HASHES, sha256: aHash };

/** The form of such a line. */
export const LOCKED_ENTRY = variants<LockedEntry>({
  plan: {
    at: anInstant,
    kind: z.enum(["plan"]),
    name: aText,
    plan: flat(PLAN),
    loadedBefore: aCount,
    looksBefore: aCount,
    ...CHAIN,
  },
  look: {
    at: anInstant,
    kind: z.enum(["look"]),
    name: aText,
    number: aCount,
    of: aHash,
    asOf: anInstant,
    first: aDate,
    last: aDate,
    release: z.nullable(aHash),
    prices: aHash,
    ...CHAIN,
  },
  result: {
    at: anInstant,
    kind: z.enum(["result"]),
    name: aText,
    number: aCount,
    of: aHash,
    numbers: z.array(object<RegisteredNumber>({
      sample: aText,
      horizon: aCount,
      sessions: aCount,
      meanIc: z.nullable(aNumber),
      low: z.nullable(aNumber),
      high: z.nullable(aNumber),
      p: z.nullable(aNumber),
    })),
    ...CHAIN,
  },
});

type WithoutHash<Entry> = Entry extends LockedEntry ? Omit<Entry, "before" | "sha256"> : never;

/** An entry before it is chained to another one. */
export type NewEntry = WithoutHash<LockedEntry>;

const HASH = /,"sha256":"[0-9a-f]{64}"\}$/;

/** Hash of the line of an entry without its hash. */
export function hashEntry(entry: LockedEntry): string {
  return sha256Hex(JSON.stringify(write(LOCKED_ENTRY, entry)).replace(HASH, ""));
}

/** Chains an entry to the last ones before: its line has their hashes, so that none of them can change alone. */
export function chainEntry(entry: NewEntry, before: readonly string[]): LockedEntry {
  const open = { ...entry, before, sha256: "0".repeat(64) } as LockedEntry;
  return { ...open, sha256: hashEntry(open) };
}
