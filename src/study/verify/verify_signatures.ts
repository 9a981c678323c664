import { checkSignatures } from "../sign/check_signatures.ts";
import { MANIFEST } from "../share/manifest.ts";
import type { Findings } from "./findings.ts";

/**
 * Checks the signatures of a study.
 *
 * @returns `true` if the manifest has a valid one, which makes every edited file a problem
 */
export async function verifySignatures(
  folder: string,
  signers: string | null,
  found: Findings,
): Promise<boolean> {
  const checked = await checkSignatures(folder, signers);
  for (const { path, isGood, says } of checked) {
    if (isGood) found.note(path, says);
    else found.problem(path, says);
  }
  return checked.some(({ path, isGood }) => path === MANIFEST && isGood);
}
