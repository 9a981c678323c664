import { StorageError } from "../../errors.ts";

/** True if the disk refused something: a store, or a ledger, which is a SQLite file. */
export function isDiskTrouble(error: unknown): error is Error {
  if (error instanceof StorageError) return true;
  const code = (error as { readonly code?: unknown } | null)?.code;
  return error instanceof Error && String(code).startsWith("ERR_SQLITE");
}
