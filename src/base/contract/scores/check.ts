import { z } from "zod";
import { calendarDate, instant, parseBy, text, unknownFields, uuid } from "../schema.ts";
import { type Coverage, coverageSchema, encodeCoverage } from "./coverage.ts";
import { type Factor, parseFactor, type ScoreName, scoreNameOf } from "../factor.ts";
import type { CalendarDate, Instant } from "../instant.ts";
import type { Status } from "./status.ts";
import { ContractViolation } from "../violation.ts";

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

const FIELDS = {
  factor: text,
  score_name: text,
  universe: text,
  factor_version: text,
  snapshot_id: uuid,
  calculated_at: instant,
  last_checked_at: instant,
  data_through: instant,
  status: text,
  prices_through: calendarDate,
};
const KNOWN = [...Object.keys(FIELDS), "coverage", "scores"];
const SCHEMA: Record<Factor, ReturnType<typeof schemaOf>> = {
  ecpnd: schemaOf("ecpnd"),
  ecqdi: schemaOf("ecqdi"),
};

/**
 * Parses a score set response without its rows.
 *
 * @param value The parsed JSON object
 * @throws {ContractViolation} If a field is missing, malformed or contradicts another
 * @see API document, sections 2.2 and 2.3
 */
export function parseCheck(value: unknown): Check {
  const factor = parseFactor((value as { factor?: unknown } | null)?.factor, "$.factor");
  const wire = parseBy(SCHEMA[factor], value);
  const scoreName = scoreNameOf(factor);
  if (wire.score_name !== scoreName) {
    throw new ContractViolation("$.score_name", `"${scoreName}"`, wire.score_name);
  }
  if (wire.last_checked_at < wire.calculated_at) {
    const required = `a time not before calculated_at ${wire.calculated_at}`;
    throw new ContractViolation("$.last_checked_at", required, wire.last_checked_at);
  }
  return {
    factor,
    scoreName,
    universe: wire.universe,
    factorVersion: wire.factor_version,
    snapshotId: wire.snapshot_id,
    calculatedAt: wire.calculated_at,
    lastCheckedAt: wire.last_checked_at,
    dataThrough: wire.data_through,
    status: wire.status,
    pricesThrough: wire.prices_through,
    coverage: wire.coverage,
    extra: unknownFields(wire, KNOWN),
  };
}

/** Wire form of a check: a score set response without `scores`. */
export function encodeCheck(check: Check): Record<string, unknown> {
  return {
    factor: check.factor,
    score_name: check.scoreName,
    universe: check.universe,
    factor_version: check.factorVersion,
    snapshot_id: check.snapshotId,
    calculated_at: check.calculatedAt,
    last_checked_at: check.lastCheckedAt,
    data_through: check.dataThrough,
    status: check.status,
    prices_through: check.pricesThrough,
    coverage: encodeCoverage(check.coverage),
    ...check.extra,
  };
}

function schemaOf(factor: Factor) {
  return z.looseObject({ ...FIELDS, coverage: coverageSchema(factor) });
}
