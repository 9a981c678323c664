import { z } from "zod";
import { parseBy, text, unknownFields } from "./schema.ts";
import { type Factor, type ScoreName, scoreNameOf } from "./factor.ts";
import { ContractViolation } from "./violation.ts";

/** One factor that the account may load (section 2.1). */
export interface FactorEntry {
  /** The factor. */
  readonly factor: Factor;
  /** Name of its score field. */
  readonly scoreName: ScoreName;
  /** Calculation definition, of the form `<factor>-v<n>`. */
  readonly factorVersion: string;
  /** Relative path of its scores. */
  readonly scores: string;
  /** Relative path of its history metadata. */
  readonly history: string;
  /** Fields that the API document does not define, as received. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const FIELDS = {
  factor: z.enum(["ecpnd", "ecqdi"]),
  score_name: text,
  factor_version: text,
  scores: text,
  history: text,
};
const SCHEMA = z.looseObject({ factors: z.array(z.looseObject(FIELDS)) });

/**
 * Reads the factor list.
 *
 * @throws {ContractViolation} If an entry is malformed, contradicts itself or repeats a factor
 * @see API document, sections 2.1 and 4.2
 */
export function parseFactorList(value: unknown): readonly FactorEntry[] {
  const entries = parseBy(SCHEMA, value).factors;
  return entries.map((wire, i) => {
    const path = `$.factors[${i}]`;
    const scoreName = scoreNameOf(wire.factor);
    if (wire.score_name !== scoreName) {
      throw new ContractViolation(`${path}.score_name`, `"${scoreName}"`, wire.score_name);
    }
    assertSelects(wire.scores, wire.factor, `${path}.scores`);
    assertSelects(wire.history, wire.factor, `${path}.history`);
    if (entries.findIndex((other) => other.factor === wire.factor) !== i) {
      throw new ContractViolation(`${path}.factor`, "a factor that does not repeat", wire.factor);
    }
    return {
      factor: wire.factor,
      scoreName,
      factorVersion: wire.factor_version,
      scores: wire.scores,
      history: wire.history,
      extra: unknownFields(wire, Object.keys(FIELDS)),
    };
  });
}

/** The wire form of the factor list. */
export function encodeFactorList(entries: readonly FactorEntry[]): Record<string, unknown> {
  return {
    factors: entries.map((entry) => ({
      factor: entry.factor,
      score_name: entry.scoreName,
      factor_version: entry.factorVersion,
      scores: entry.scores,
      history: entry.history,
      ...entry.extra,
    })),
  };
}

function assertSelects(path: string, factor: Factor, jsonPath: string): void {
  const query = path.slice(path.indexOf("?"));
  if (path.startsWith("/v1/") && new URLSearchParams(query).get("factor") === factor) return;
  throw new ContractViolation(jsonPath, `a relative path under /v1 with factor=${factor}`, path);
}
