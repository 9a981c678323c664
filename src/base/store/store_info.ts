import type { Instant } from "../contract/instant.ts";
import * as z from "zod/mini";
import {
  aFlag,
  anInstant,
  anObject,
  anyText,
  object,
  read,
  valueOf,
  write,
} from "../contract/schema.ts";
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

const INFO = object<StoreInfo>({
  format: valueOf("1", (value) => value === 1),
  kind: z.enum(["world", "recording"]),
  description: z._default(anyText, ""),
  synthetic: z._default(aFlag, false),
  complete: z._default(
    z.nullable(object<NonNullable<StoreInfo["complete"]>>({ from: anInstant, through: anInstant })),
    null,
  ),
  origin: z._default(anObject, {}),
});

/** The text of `store.json`. */
export function encodeStoreInfo(info: StoreInfo): string {
  return sealText(write(INFO, info), 2);
}

/**
 * Reads the text of `store.json`.
 *
 * @throws {ContractViolation} If it has another format
 */
export function parseStoreInfo(text: string): StoreInfo {
  return read(INFO, readSealed(text), "store.json");
}
