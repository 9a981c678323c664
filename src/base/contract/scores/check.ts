import * as z from "zod/mini";
import {
  aCount,
  aDate,
  anInstant,
  anObject,
  aText,
  aUuid,
  type Form,
  object,
  type ObjectForm,
  read,
  readBy,
  theRest,
  type Wire,
  write,
} from "../schema.ts";
import { type Factor, parseFactor, type ScoreName, scoreNameOf } from "../factor.ts";
import type { CalendarDate, Instant } from "../instant.ts";
import type { Status } from "./status.ts";
import { ContractViolation } from "../violation.ts";

/** The complete set's coverage at a check; a ticker filter does not change it (section 2.3). */
export interface Coverage {
  /** Number of rows in the complete set. */
  readonly tickers: number;
  /** Market-data coverage at the check; null means unavailable. */
  readonly priceTickersCurrent: number | null;
  /** Size of the tracked price panel, which can differ from the universe; null means unavailable. */
  readonly priceTickersTracked: number | null;
  /** Source-update queue; not a count of missing scores. */
  readonly pendingCalls: number;
  /** Source-update queue; not a count of missing scores. */
  readonly failedCalls: number;
  /** Non-null values in the full set; `ecqdi` only, null for `ecpnd`. */
  readonly scoredTickers: number | null;
  /** Call records awaiting factor processing; `ecqdi` only, null for `ecpnd`. */
  readonly pendingFactorCalls: number | null;
  /** Fields that the API document does not define, as received. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** One completed check and the score set that it refers to: a score set response without its rows (section 2.2). */
export interface Check {
  /** Factor of the set. */
  readonly factor: Factor;
  /** Name of the score field in the rows. */
  readonly scoreName: ScoreName;
  /** Universe label. */
  readonly universe: string;
  /** Calculation definition. */
  readonly factorVersion: string;
  /** The published set. */
  readonly snapshotId: string;
  /** Publication time of the set. */
  readonly calculatedAt: Instant;
  /** Completion time of this check. */
  readonly lastCheckedAt: Instant;
  /** Observation cutoff that the check examined. */
  readonly dataThrough: Instant;
  /** Data status; may be one that a later edition of the contract adds. */
  readonly status: Status;
  /** Latest stored benchmark price session. */
  readonly pricesThrough: CalendarDate;
  /** Coverage of the complete set. */
  readonly coverage: Coverage;
  /** Fields that the API document does not define, as received. */
  readonly extra: Readonly<Record<string, unknown>>;
}

// A field of the other factor is one that the API document does not define here.
const NOT_THERE = readBy<number | null>(() => null, () => undefined);

/** The form of a factor's coverage. */
const COVERAGE: Readonly<Record<Factor, Form<Coverage>>> = {
  ecpnd: coverageOf(NOT_THERE),
  ecqdi: coverageOf(aCount as Form<number | null>),
};

/** A UUID, in lower case from here on. */
const aSnapshotId = readBy((value, path) => read(aUuid, value, path).toLowerCase());
const CHECK: Readonly<Record<Factor, ObjectForm<Check>>> = {
  ecpnd: checkOf("ecpnd"),
  ecqdi: checkOf("ecqdi"),
};

function checkOf(factor: Factor): ObjectForm<Check> {
  return object<Check>({
    factor: z.enum([factor]),
    scoreName: z.enum([scoreNameOf(factor)]),
    universe: aText,
    factorVersion: aText,
    snapshotId: aSnapshotId,
    calculatedAt: anInstant,
    lastCheckedAt: anInstant,
    dataThrough: anInstant,
    status: aText,
    pricesThrough: aDate,
    coverage: COVERAGE[factor],
    extra: theRest,
  });
}

/**
 * Parses a score set response without its rows.
 *
 * @param value The parsed JSON object
 * @throws {ContractViolation} If a field is missing, malformed or contradicts another
 * @see API document, sections 2.2 and 2.3
 */
export function parseCheck(value: unknown): Check {
  const { scores: _, ...wire } = read(anObject, value, "$");
  const check = read(CHECK[parseFactor(wire.factor, "$.factor")], wire, "$");
  if (check.lastCheckedAt >= check.calculatedAt) return check;
  const required = `a time not before calculated_at ${check.calculatedAt}`;
  throw new ContractViolation("$.last_checked_at", required, check.lastCheckedAt);
}

/** Wire form of a check: a score set response without `scores`. */
export function encodeCheck(check: Check): Wire {
  return write(CHECK[check.factor], check);
}

function coverageOf(onlyEcqdi: Form<number | null>): Form<Coverage> {
  return object<Coverage>({
    tickers: aCount,
    priceTickersCurrent: z.nullable(aCount),
    priceTickersTracked: z.nullable(aCount),
    pendingCalls: aCount,
    failedCalls: aCount,
    scoredTickers: onlyEcqdi,
    pendingFactorCalls: onlyEcqdi,
    extra: theRest,
  });
}
