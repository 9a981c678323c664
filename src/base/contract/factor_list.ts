import * as z from "zod/mini";
import { aFactor, anObject, aText, object, read, theRest, type Wire, write } from "./schema.ts";
import { type Factor, type ScoreName, scoreNameOf } from "./factor.ts";
import { ContractViolation } from "./violation.ts";

/**
 * One factor that the account may load (section 2.1).
 *
 * @internal
 */
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

const ENTRIES = z.array(object<FactorEntry>({
  factor: aFactor,
  scoreName: z.enum(["ecpnd_score", "ecqdi_score"]),
  factorVersion: aText,
  scores: aText,
  history: aText,
  extra: theRest,
}));

/**
 * Reads the factor list.
 *
 * @throws {ContractViolation} If an entry is malformed, contradicts itself or repeats a factor
 * @see API document, sections 2.1 and 4.2
 */
export function parseFactorList(value: unknown): readonly FactorEntry[] {
  const entries = read(ENTRIES, read(anObject, value, "$").factors, "$.factors");
  for (const [i, { factor, scoreName, scores, history }] of entries.entries()) {
    const path = `$.factors[${i}]`;
    if (scoreName !== scoreNameOf(factor)) {
      throw new ContractViolation(`${path}.score_name`, `"${scoreNameOf(factor)}"`, scoreName);
    }
    assertSelects(scores, factor, `${path}.scores`);
    assertSelects(history, factor, `${path}.history`);
    if (entries.findIndex((other) => other.factor === factor) !== i) {
      throw new ContractViolation(`${path}.factor`, "a factor that does not repeat", factor);
    }
  }
  return entries;
}

/** The wire form of the factor list. */
export function encodeFactorList(entries: readonly FactorEntry[]): Wire {
  return { factors: write(ENTRIES, entries) };
}

function assertSelects(path: string, factor: Factor, jsonPath: string): void {
  const query = path.slice(path.indexOf("?"));
  if (path.startsWith("/v1/") && new URLSearchParams(query).get("factor") === factor) return;
  throw new ContractViolation(jsonPath, `a relative path under /v1 with factor=${factor}`, path);
}
