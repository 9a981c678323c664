import { type Instant, parseInstant } from "../contract/instant.ts";
import { ContractViolation } from "../contract/violation.ts";

/** What a store is and where it came from: the content of `store.json`. */
export interface StoreInfo {
  /** Version of the directory format. */
  readonly format: 1;
  /** A synthetic service history, or what a client received. */
  readonly kind: "world" | "recording";
  /** One line for people. */
  readonly description: string;
  /** Whether the numbers are made up. */
  readonly synthetic: boolean;
  /** The span of which the store holds every check, or `null` for a partial recording. */
  readonly complete: { readonly from: Instant; readonly through: Instant } | null;
  /** Free facts about the origin, such as the parameters of a world. */
  readonly origin: Readonly<Record<string, unknown>>;
}

/** The text of `store.json`. */
export function encodeStoreInfo(info: StoreInfo): string {
  return `${JSON.stringify(info, null, 2)}\n`;
}

/**
 * Reads the text of `store.json`.
 *
 * @throws {ContractViolation} If it is not of this format
 */
export function parseStoreInfo(text: string): StoreInfo {
  const value: Record<string, unknown> = JSON.parse(text);
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
    origin: isObject(value.origin) ? value.origin : {},
  };
}

function parseSpan(value: unknown): StoreInfo["complete"] {
  if (!isObject(value)) return null;
  return {
    from: parseInstant(value.from, "store.json complete.from"),
    through: parseInstant(value.through, "store.json complete.through"),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
