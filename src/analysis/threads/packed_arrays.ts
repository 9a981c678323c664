const KINDS = { Float64Array, Int32Array, Uint16Array, Uint8Array } as const;

type Kind = keyof typeof KINDS;
type Packable = InstanceType<typeof KINDS[Kind]>;

/** An array as a message carries it. */
interface PackedArray {
  readonly packed: Kind;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly length: number;
}

/**
 * A message whose arrays are replaced by their buffers: Deno looks into every element of an array that another thread receives,
 * which takes longer than the work.
 */
export function packArrays(value: unknown): unknown {
  const kind = kindOf(value);
  if (kind !== null) {
    const { buffer, byteOffset, length } = value as Packable;
    return { packed: kind, buffer, byteOffset, length } satisfies PackedArray;
  }
  return mapped(value, packArrays);
}

/** The message with its arrays again, over the same memory. */
export function unpackArrays(value: unknown): unknown {
  const array = value as Partial<PackedArray> | null;
  if (typeof array === "object" && array?.packed !== undefined) {
    const { packed, buffer, byteOffset, length } = array as PackedArray;
    // The types of these constructors do not know of shared memory; they do.
    return new KINDS[packed](buffer as ArrayBuffer, byteOffset, length);
  }
  return mapped(value, unpackArrays);
}

function mapped(value: unknown, map: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, map(entry)]));
}

function kindOf(value: unknown): Kind | null {
  if (!ArrayBuffer.isView(value)) return null;
  const found = Object.entries(KINDS).find(([, type]) => value instanceof type);
  if (found === undefined) {
    throw new TypeError(
      `Cannot pack an array: expected ${
        Object.keys(KINDS).join(", ")
      }, got ${value.constructor.name}`,
    );
  }
  return found[0] as Kind;
}
