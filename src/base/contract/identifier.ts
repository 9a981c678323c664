const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHA256 = /^[0-9a-f]{64}$/i;

/** True if the value is a UUID in its usual text form, in either case. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** True if the value is a SHA-256 digest in 64 hexadecimal digits, in either case. */
export function isSha256(value: unknown): value is string {
  return typeof value === "string" && SHA256.test(value);
}
