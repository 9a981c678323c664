import { SCOPES } from "../../base/contract/http/endpoint.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import type { AccountSpec } from "../account/accounts.ts";
import {
  fail,
  fields,
  filledText,
  flag,
  list,
  number,
  oneOfTexts,
  parseConfigJson,
  type Reader,
  rootOf,
} from "./_config_reader.ts";
import type { ConfigOptions } from "./config_options.ts";

const factor = oneOfTexts(FACTORS);
const licence = fields({ factor, from: filledText, until: filledText });
const ACCOUNT = fields({
  id: filledText,
  factors: list((value, path) =>
    typeof value === "string" ? factor(value, path) : licence(value, path)
  ),
  keys: list(fields({
    key: secret(),
    sha256: filledText,
    revoked: flag,
    expires_at: filledText,
    scopes: list(oneOfTexts(SCOPES)),
  })),
  limits: fields({
    requests_per_minute: number,
    requests_per_day: number,
    concurrent_requests: number,
    downloads_per_day: number,
    concurrent_downloads: number,
  }),
});
const FILE = fields({ accounts: list(ACCOUNT) });

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
  const root = rootOf(options);
  const { accounts } = FILE(parseConfigJson(json, "the accounts file", options), root);
  if (accounts === undefined) fail(`${root}.accounts`, "an array", accounts);
  return (accounts as Record<string, unknown>[]).map((account, i) => {
    for (const name of ["id", "factors", "keys"]) {
      if (account[name] === undefined) fail(`${root}.accounts[${i}].${name}`, "a value", undefined);
    }
    return account as unknown as AccountSpec;
  });
}

function secret(): Reader<string> {
  return (value, path) =>
    typeof value === "string" ? value : fail(path, "the text of a key", typeof value);
}
