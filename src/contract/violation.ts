import { maskKeys } from "./key.ts";

/**
 * Something received or given does not follow the API document: the place, what was expected there,
 * and what was found.
 */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation";
  /** JSON path, header name or parameter name of the offending value. */
  readonly path: string;
  /** What the API document requires there. */
  readonly required: string;
  /** What was found, shortened. */
  readonly received: string;

  /**
   * @param path JSON path, header name or parameter name
   * @param required What the API document requires there
   * @param received The offending value itself; it is described and shortened here
   */
  constructor(path: string, required: string, received: unknown) {
    const found = describe(received);
    super(`Cannot read ${path}: expected ${required}, got ${found}`);
    this.path = path;
    this.required = required;
    this.received = found;
  }
}

const MAX_DESCRIPTION = 80;

/** Describes any value in at most about 80 characters, for an error message; a key that strayed there is masked. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const { [Symbol.toStringTag]: tag, then } = value as {
      [Symbol.toStringTag]?: unknown;
      then?: unknown;
    };
    if (typeof then === "function") return "a promise; await it first";
    if (tag === "DataFrame") return describeFrame(value as { columns: readonly string[] });
    return `an object with the fields ${
      maskKeys(Object.keys(value).slice(0, 6).join(", ")) || "(none)"
    }`;
  }
  const text = typeof value === "string" ? JSON.stringify(maskKeys(value)) : String(value);
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text;
}

// By its tag: this layer knows no frames.
function describeFrame({ columns }: { readonly columns: readonly string[] }): string {
  const shown = columns.slice(0, 6).join(", ");
  return `a DataFrame with the columns ${shown || "(none)"}${columns.length > 6 ? ", …" : ""}`;
}
