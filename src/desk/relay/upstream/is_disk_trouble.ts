import { StorageError } from "../../../base/errors.ts";

/** True if a write to the disk failed, of a store or of a ledger (a SQLite file). */
export function isDiskTrouble(error: unknown): error is Error {
  if (error instanceof StorageError) return true;
  const code = (error as { readonly code?: unknown } | null)?.code;
  return error instanceof Error && String(code).startsWith("ERR_SQLITE");
}
