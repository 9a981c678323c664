import { type Instant, parseInstant } from "../contract/instant.ts";
import { isPlainObject } from "../contract/is_object.ts";
import { ContractViolation } from "../contract/violation.ts";
import { readSealed, sealText } from "./sealed_text.ts";

/** Content of `store.json`: kind and origin of a store. */
export interface StoreInfo {
  /** Version of the directory format. */
  readonly format: 1;
  /** A synthetic service history, or data that a client received. */
  readonly kind: "world" | "recording";
  /** One line for human readers. */
  readonly description: string;
  /** `true` if the numbers are synthetic. */
  readonly synthetic: boolean;
  /** Span for which the store has every check; `null` for a partial recording. */
  readonly complete: { readonly from: Instant; readonly through: Instant } | null;
  /** Free facts about the origin, such as the parameters of a world. */
  readonly origin: Readonly<Record<string, unknown>>;
}

/** The text of `store.json`. */
export function encodeStoreInfo(info: StoreInfo): string {
  return sealText(info, 2);
}

/**
 * Reads the text of `store.json`.
 *
 * @throws {ContractViolation} If it has another format
 */
export function parseStoreInfo(text: string): StoreInfo {
  const value = readSealed(text);
  if (value.format !== 1) throw new ContractViolation("store.json format", "1", value.format);
  if (value.kind !== "world" && value.kind !== "recording") {
    throw new ContractViolation("store.json kind", '"world" or "recording"', value.kind);
  }
  return {
    format: 1,
    kind: value.kind,
    description: String(value.description ?? ""),
    synthetic: value.synthetic === true,
    complete: parseSpan(value.complete),
    origin: isPlainObject(value.origin) ? value.origin : {},
  };
}

function parseSpan(value: unknown): StoreInfo["complete"] {
  if (!isPlainObject(value)) return null;
  return {
    from: parseInstant(value.from, "store.json complete.from"),
    through: parseInstant(value.through, "store.json complete.through"),
  };
}
