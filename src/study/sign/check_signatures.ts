import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { kindOf, readTextFile } from "../../base/disk/files.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { MANIFEST, SIGNATURE } from "../share/manifest.ts";
import { NAMESPACE, sshKeygen } from "./sign_study.ts";

/** A signature over a file of a study. */
export interface CheckedSignature {
  /** The signed file. */
  readonly path: string;
  /** `true` if it is valid and, if signers were given, by one of them. */
  readonly isGood: boolean;
  /** The signer, or the reason why it is invalid. */
  readonly says: string;
}

/**
 * Checks the signatures over the lock and the manifest of a study.
 *
 * @param signers Path of an `allowed_signers` file of ssh-keygen; without it any key counts. With it, a lock and a manifest
 * without a signature are bad: who can remove one could have changed what it covers
 * @throws {ScoreframeError} If that file cannot be read
 */
export async function checkSignatures(
  folder: string,
  signers: string | null,
): Promise<readonly CheckedSignature[]> {
  if (signers !== null) {
    await access(signers).catch(() => {
      throw new ScoreframeError(
        `Cannot check who signed: expected an allowed_signers file of ssh-keygen, got no readable file ${signers}; give one with --signers`,
      );
    });
  }
  const checked: CheckedSignature[] = [];
  for (const path of [LOCK_FILE, MANIFEST]) {
    const text = await readTextFile(join(folder, path)).catch(() => null);
    const signature = resolve(folder, `${path}${SIGNATURE}`);
    const kind = kindOf(signature);
    const isNeeded = signers !== null && (path === LOCK_FILE || text !== null);
    if (kind === null && !isNeeded) continue;
    const fault = kind === null
      ? "expected a signature, got none"
      : kind !== "a file"
      ? `expected a file with its signature, got ${kind}`
      : text === null && "it was signed, but no longer exists";
    const verdict = fault ? bad(fault) : await checkOne(text!, signature, signers);
    checked.push({ path, ...verdict });
  }
  return checked;
}

type Verdict = Omit<CheckedSignature, "path">;

async function checkOne(text: string, signature: string, signers: string | null): Promise<Verdict> {
  // Git may have converted the line ends.
  const signed = text.replaceAll("\r\n", "\n");
  const common = ["-n", NAMESPACE, "-s", signature];
  if (signers === null) {
    const { code, out } = await sshKeygen(["-Y", "check-novalidate", ...common], signed);
    const key = /with (\S+ key \S+)/.exec(out)?.[1];
    if (code !== 0 || key === undefined) return bad(`the signature does not match the file`);
    const says = `signed with the ${key}; verify --signers FILE identifies the signer`;
    return { isGood: true, says };
  }
  const found = await sshKeygen(
    ["-Y", "find-principals", "-s", signature, "-f", resolve(signers)],
    "",
  );
  const principal = found.out.split("\n")[0]?.split(",")[0]?.trim() ?? "";
  if (found.code !== 0 || principal === "") return bad(otherSigner(found.error, signers));
  const { code, out, error } = await sshKeygen(
    ["-Y", "verify", "-f", resolve(signers), "-I", principal, ...common],
    signed,
  );
  const key = /with (\S+ key \S+)/.exec(out)?.[1] ?? "their key";
  if (code === 0) return { isGood: true, says: `signed by ${principal} with the ${key}` };
  return bad(
    /namespace|expired|not yet valid/.test(error)
      ? otherSigner(error, signers)
      : `the signature of ${principal} does not match the file, which was changed after it was signed`,
  );
}

// The remedy differs: a key that was never trusted, and a trusted one whose line does not count now, or not for studies.
function otherSigner(error: string, signers: string): string {
  const when = /key (?:has expired|is not yet valid)[^\n]*/.exec(error)?.[0];
  if (when !== undefined) {
    return `expected a signature by a key that ${signers} allows today, got one whose ${when.trim()}; extend its line if you trust it still`;
  }
  return /not permitted for use in signature namespace/.test(error)
    ? `expected a key that ${signers} allows for studies, got one for other namespaces; add ${NAMESPACE} to its namespaces`
    : `expected a signature by a key in ${signers}, got one by another key`;
}

function bad(says: string): Verdict {
  return { isGood: false, says };
}
