import { relative } from "node:path";
import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import { hasParquetRows } from "../../frames/frame/release/parquet_rows.ts";
import { reconcileFacts } from "../../frames/frame/release_file/reconcile_facts.ts";
import {
  type DerivedRelease,
  findDerived,
  isAsWritten,
} from "../../base/store/release/derived_release.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { Store } from "../../base/store/store.ts";
import type { StoreProblem } from "../../base/store/verify_store.ts";
import { frameReader } from "./verify_release.ts";

const ADVICE = "remove it; it will be rebuilt from the original";

/**
 * Compares the derived Parquet files of a store with their releases: every row, and the tickers in both forms. A checksum
 * proves only that a file has not changed since it was written.
 *
 * Reports problems instead of throwing. Damaged originals are reported by the verification of the store.
 */
export async function verifyDerived(store: Store): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = [];
  for (const factor of FACTORS) {
    for (const stored of await store.listReleases(factor).catch(() => [])) {
      const derived = await findDerived(stored);
      if (derived === null) continue;
      const problem = await problemOf(factor, stored, derived)
        .catch((error) => `expected a Parquet file of the release: ${error.message}`);
      if (problem === null) continue;
      const path = relative(store.path, derived.path);
      problems.push({ path, problem: `${problem}; ${ADVICE}` });
    }
  }
  return problems;
}

async function problemOf(factor: Factor, stored: StoredRelease, derived: DerivedRelease) {
  if (!await isAsWritten(derived)) {
    return `expected the CRC-32 ${derived.crc32} from when it was written, got another one`;
  }
  const { release, path, sizeBytes } = stored;
  const announced = { factor, release, sizeBytes };
  const { facts, parser, builder } = await frameReader("text")({ path }, announced);
  const steps = reconcileFacts(announced, facts, parser);
  if (steps.some(({ outcome }) => outcome === "failed")) return null;
  const { rows } = await builder.finish(parser.columns.names);
  const isSame = await hasParquetRows(derived.path, { factor, known: derived, rows });
  return isSame ? null : "expected the rows of the original, got others";
}
