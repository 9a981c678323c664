import { SCOPES } from "../../base/contract/http/endpoint.ts";
import {
  aFactor,
  aFlag,
  aNumber,
  aText,
  type Form,
  listOf,
  oneOfTexts,
  optional,
  readBy,
} from "../../base/contract/schema.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import type { AccountLimits, AccountSpec, KeySpec, LicenceSpec } from "../account/accounts.ts";
import { readConfig, strict } from "./_config_forms.ts";
import type { ConfigOptions } from "./config_options.ts";

const LICENCE = strict<LicenceSpec>({
  factor: aFactor,
  from: optional(aText),
  until: optional(aText),
});
const FACTOR: Form<AccountSpec["factors"][number]> = readBy((value, path) =>
  (typeof value === "string" ? aFactor : LICENCE).read(value, path)
);
// A key in the wrong place is not shown.
const SECRET: Form<string> = readBy((value, path) => {
  if (typeof value === "string") return value;
  throw new ContractViolation(path, "the text of a key", typeof value);
});
const ACCOUNT = strict<AccountSpec>({
  id: aText,
  factors: listOf(FACTOR),
  keys: listOf(strict<KeySpec>({
    key: optional(SECRET),
    sha256: optional(aText),
    revoked: optional(aFlag),
    expiresAt: optional(aText),
    scopes: optional(listOf(oneOfTexts(...SCOPES))),
  })),
  limits: optional(strict<Partial<AccountLimits>>({
    requestsPerMinute: optional(aNumber),
    requestsPerDay: optional(aNumber),
    concurrentRequests: optional(aNumber),
    downloadsPerDay: optional(aNumber),
    concurrentDownloads: optional(aNumber),
  })),
});
const FILE = strict<{ readonly accounts: readonly AccountSpec[] }>({ accounts: listOf(ACCOUNT) });

/**
 * Reads an accounts file: `{"accounts":[{"id","factors","keys","limits"}]}`.
 *
 * `factors` has names, or objects with `factor`, `from` and `until` for an access period. A key has `key` or `sha256`, and may
 * have `revoked`, `expires_at` and `scopes`.
 *
 * @param json Text of the file
 * @param options Path of the file, for messages
 * @throws {TypeError} With the path of the first wrong field; a key is never shown
 */
export function parseAccounts(json: string, options: ConfigOptions = {}): readonly AccountSpec[] {
  return readConfig(FILE, json, { ...options, what: "the accounts file" }).accounts;
}
