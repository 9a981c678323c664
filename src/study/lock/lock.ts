import type { Factor } from "../../base/contract/factor.ts";
import type { CalendarDate, Instant } from "../../base/contract/instant.ts";
import * as z from "zod/mini";
import {
  aCount,
  aFactor,
  aFlag,
  aHash,
  anInstant,
  anObject,
  aText,
  aUuid,
  flatOrNull,
  type Form,
  named,
  object,
  type Placed,
  valueOf,
  write,
} from "../../base/contract/schema.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import type { KnownSet } from "../../frames/vintage/known_study.ts";
import { LOCKED_ENTRY, type LockedEntry } from "./entry.ts";

const SET = object<LockedSet>({
  factor: aFactor,
  calculatedAt: anInstant,
  snapshotId: aUuid,
  factorVersion: aText,
  universe: aText,
  tickers: aCount,
  scored: aCount,
  numbers: aHash,
});

/** Hash of an answer of the service, and the time at which it was received first. */
export type LockedReceipt = NonNullable<LockedView["receipt"]>;

// Lines of format 1 have none.
function receiptOf(answer: "check" | "metadata"): Placed<LockedReceipt | null> {
  return flatOrNull(object<LockedReceipt>({ retrievedAt: anInstant, said: named(answer, aHash) }));
}

/** The check of a view. */
export type LockedCheck = NonNullable<LockedView["check"]>;

const VIEW = object<LockedView>({
  factor: aFactor,
  at: anInstant,
  snapshotId: aUuid,
  check: flatOrNull(
    object<LockedCheck>({ lastCheckedAt: anInstant, dataThrough: anInstant, status: aText }),
  ),
  receipt: receiptOf("check"),
});

const ABSENCE = object<LockedAbsence>({ factor: aFactor, at: anInstant });

const RELEASE = object<LockedRelease>({
  factor: aFactor,
  downloadSha256: aHash,
  isDefault: named("default", aFlag),
  rows: aCount,
  scored: aCount,
  sessions: aCount,
  firstSession: z.nullable(aText),
  lastSession: z.nullable(aText),
  factorVersion: z.nullable(aText),
  universe: z.nullable(aText),
  availability: z.nullable(aText),
  numbers: aHash,
  receipt: receiptOf("metadata"),
});

const LONGEST_PATH = 400;
const INPUT = object<LockedInput>({
  // The lock may come from somebody else.
  path: valueOf("a path in the folder of the study", isInnerPath),
  sha256: aHash,
  sizeBytes: aCount,
});

/** Tests if a value is a path that a lock may name. */
export function isInnerPath(value: unknown): value is string {
  // deno-lint-ignore no-control-regex
  if (typeof value !== "string" || /[\\:\u0000-\u001f]/.test(value)) return false;
  const parts = value.split("/");
  return value.length <= LONGEST_PATH && parts[0] !== "store" &&
    !parts.some((part) => ["", ".", ".."].includes(part));
}

/** Lock of a study: the data of the study, line by line. */
export interface StudyLock {
  /** The study's time: it contains nothing that was not known by then. */
  readonly asOf: Instant;
  /** Base address of the service. */
  readonly service: string;
  /** Name and parameters of the world that the service serves; `null` for any other service. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /** `true` if the service declares its numbers synthetic; `null` before the first load. */
  readonly synthetic: boolean | null;
  /** The sets. */
  readonly sets: readonly (KnownSet & {
    /** Number of rows with a score. */
    readonly scored: number;
    /** Hash of the numbers. */
    readonly numbers: string;
  })[];
  /** The views. */
  readonly views: readonly {
    /** Factor of the view. */
    readonly factor: Factor;
    /** The requested instant. */
    readonly at: Instant;
    /** Set that was in force. */
    readonly snapshotId: string;
    /** Check of that instant; `null` if only the set was requested. */
    readonly check: {
      /** Its completion time. */
      readonly lastCheckedAt: Instant;
      /** Its observation cutoff. */
      readonly dataThrough: Instant;
      /** Its status. */
      readonly status: string;
    } | null;
    /**
     * Receipt of the check that proved the view, with a hash of its price cutoff, coverage, universe and synthetic flag. If
     * only the set was requested, another check proves it as well. `null` in a line of format 1.
     */
    readonly receipt: {
      /** Hash of the check. */
      readonly said: string;
      /** First receipt: `retrieved_at` of its rows. */
      readonly retrievedAt: Instant;
    } | null;
  }[];
  /** The instants without a publication. */
  readonly absences: readonly {
    /** Factor of the request. */
    readonly factor: Factor;
    /** The instant. */
    readonly at: Instant;
  }[];
  /** The releases. */
  readonly releases: readonly {
    /** Factor of the release. */
    readonly factor: Factor;
    /** SHA-256 of its file. */
    readonly downloadSha256: string;
    /** `true` for the release that `history()` returns without a checksum. */
    readonly isDefault: boolean;
    /** Number of rows. */
    readonly rows: number;
    /** Number of rows with a score. */
    readonly scored: number;
    /** Number of sessions. */
    readonly sessions: number;
    /** First session; `null` if there is none. */
    readonly firstSession: CalendarDate | null;
    /** Last session; `null` if there is none. */
    readonly lastSession: CalendarDate | null;
    /** Calculation definition; `null` if the release states none. */
    readonly factorVersion: string | null;
    /** Universe label; `null` if the release states none. */
    readonly universe: string | null;
    /** Reconstruction convention; `null` if the release states none. */
    readonly availability: string | null;
    /** Hash of the numbers. */
    readonly numbers: string;
    /** Receipt of its metadata; `null` in a line of format 1. */
    readonly receipt: {
      /** Hash of the metadata. */
      readonly said: string;
      /** First receipt: `retrieved_at` of its rows. */
      readonly retrievedAt: Instant;
    } | null;
  }[];
  /** The user's files. */
  readonly inputs: readonly {
    /** Path, relative to the folder of the study, with slashes. */
    readonly path: string;
    /** SHA-256 of its bytes. */
    readonly sha256: string;
    /** Its length. */
    readonly sizeBytes: number;
  }[];
  /** Registered tests, looks at their hold-outs and results, each with the hash of the one before. */
  readonly registered: readonly LockedEntry[];
  /** Regular expressions for text that may differ in the outputs of its notebooks. */
  readonly ignore: readonly string[];
  /** Versions that it was made with. */
  readonly environment: {
    /** Version of this package. */
    readonly scoreframe: string;
    /** Version of the runtime. */
    readonly runtime: string;
    /** Version of nodejs-polars. */
    readonly polars: string;
  };
}

/** The check in force at an instant; in a panel of sets only the set. */
export type LockedView = StudyLock["views"][number];

/** A score set in a lock. */
export type LockedSet = StudyLock["sets"][number];

/** A release in a lock. */
export type LockedRelease = StudyLock["releases"][number];

/** A file of the user's, such as prices, pinned by `study.input()`. */
export type LockedInput = StudyLock["inputs"][number];

/** Versions that a study was made with. They do not affect what is loaded. */
export type LockedEnvironment = StudyLock["environment"];

/** An instant before the first publication, according to the service. */
export type LockedAbsence = StudyLock["absences"][number];

const HEAD = {
  asOf: anInstant,
  service: aText,
  world: z._default(z.nullable(anObject), null),
  synthetic: z.nullable(aFlag),
};

/** Fields of a lock before its lists. */
export const LOCK_HEAD = object<Pick<StudyLock, keyof typeof HEAD>>(HEAD);

/** Names of the lists of facts, in the order of the file. */
export const FACT_LISTS = [
  ...["sets", "views", "absences", "releases", "inputs", "registered"] as const,
];

/** The whole lock, without format and seals. */
export const LOCK = object<StudyLock>({
  ...HEAD,
  sets: lines(SET),
  views: lines(VIEW),
  absences: lines(ABSENCE),
  releases: lines(RELEASE),
  inputs: lines(INPUT),
  registered: lines(LOCKED_ENTRY),
  ignore: lines(valueOf("a regular expression", isPattern)),
  environment: object<LockedEnvironment>({ scoreframe: aText, runtime: aText, polars: aText }),
});

// A repeated line is a bad merge.
function lines<T>(form: Form<T>): Form<readonly T[]> {
  return z.array(form).check(({ value, issues }) => {
    const texts = value.map((item) => JSON.stringify(item));
    const seen = new Set<string>();
    const again = texts.findIndex((text) => seen.size === seen.add(text).size);
    if (again === -1) return;
    const violation = new ContractViolation("$", "a line that does not repeat", texts[again]);
    issues.push({ code: "custom", input: value, path: [again], params: { violation } });
  });
}

function isPattern(value: unknown): value is string {
  try {
    return typeof value === "string" && value !== "" && new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Facts that a load adds to a lock. */
export interface LockFacts
  extends
    Partial<Pick<StudyLock, "synthetic" | "sets" | "views" | "absences" | "releases" | "inputs">> {
  /**
   * Makes these releases the defaults of `history()`.
   *
   * @default false
   */
  readonly repin?: boolean;
}

/** One line of a lock. */
export type LockedFact =
  | LockedSet
  | LockedView
  | LockedAbsence
  | LockedRelease
  | LockedInput
  | LockedEntry;

/** Identity of a fact in its list: two lines with one key contradict each other. */
export function factKey(fact: LockedFact): string {
  if ("kind" in fact) return fact.sha256;
  if ("path" in fact) return fact.path;
  if ("downloadSha256" in fact) return `${fact.factor} ${fact.downloadSha256}`;
  return `${fact.factor} ${"at" in fact ? fact.at : fact.snapshotId}`;
}

/** Line of a fact in a lock. */
export function factLine(fact: LockedFact): string {
  return JSON.stringify(encodeFact(fact));
}

function encodeFact(fact: LockedFact): unknown {
  if ("kind" in fact) return write(LOCKED_ENTRY, fact);
  if ("path" in fact) return write(INPUT, fact);
  if ("downloadSha256" in fact) return write(RELEASE, fact);
  if (!("snapshotId" in fact)) return write(ABSENCE, fact);
  return "at" in fact ? write(VIEW, fact) : write(SET, fact);
}

/** Name of the lock in the folder of a study. */
export const LOCK_FILE = "study.lock.json";
