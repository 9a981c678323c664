const KINDS = { Float64Array, Int32Array, Uint16Array, Uint8Array } as const;

type Kind = keyof typeof KINDS;
type Packable = InstanceType<typeof KINDS[Kind]>;

/** An array in a message. */
interface PackedArray {
  readonly packed: Kind;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly length: number;
}

/**
 * A message with its arrays replaced by their buffers. Deno examines each element of an array sent to another thread, which
 * takes longer than the task itself.
 */
export function packArrays(value: unknown): unknown {
  const kind = kindOf(value);
  if (kind !== null) {
    const { buffer, byteOffset, length } = value as Packable;
    return { packed: kind, buffer, byteOffset, length } satisfies PackedArray;
  }
  return mapped(value, packArrays);
}

/** The message with its arrays restored, over the same memory. */
export function unpackArrays(value: unknown): unknown {
  const array = value as Partial<PackedArray> | null;
  if (typeof array === "object" && array?.packed !== undefined) {
    const { packed, buffer, byteOffset, length } = array as PackedArray;
    // The constructors accept shared memory; their types do not say so.
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
      `Cannot pack an array: expected ${Object.keys(KINDS).join(", ")}, got ` +
        `${value.constructor.name}`,
    );
  }
  return found[0] as Kind;
}
