import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCK_FILE } from "../lock/lock.ts";
import { MANIFEST, SIGNATURE } from "../share/manifest.ts";
import { NAMESPACE } from "./sign_text.ts";
import { sshKeygen } from "./ssh_keygen.ts";

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
 * @param signers Path of an `allowed_signers` file of ssh-keygen; without it any key counts
 */
export async function checkSignatures(
  folder: string,
  signers: string | null,
): Promise<readonly CheckedSignature[]> {
  const checked: CheckedSignature[] = [];
  for (const path of [LOCK_FILE, MANIFEST]) {
    const text = await readFile(join(folder, path), "utf8").catch(() => null);
    const signature = join(folder, `${path}${SIGNATURE}`);
    const isSigned = await access(signature).then(() => true, () => false);
    if (!isSigned && (signers === null || path !== LOCK_FILE)) continue;
    if (!isSigned) checked.push({ path, isGood: false, says: "expected a signature, got none" });
    else if (text === null) {
      checked.push({ path, isGood: false, says: "it was signed, but no longer exists" });
    } else checked.push({ path, ...await checkOne(text, signature, signers) });
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
  const found = await sshKeygen(["-Y", "find-principals", "-s", signature, "-f", signers], "");
  const principal = found.out.split("\n")[0]?.split(",")[0]?.trim() ?? "";
  if (found.code !== 0 || principal === "") {
    return bad(`expected a signature by a key in ${signers}, got one by another key`);
  }
  const { code, out } = await sshKeygen(
    ["-Y", "verify", "-f", signers, "-I", principal, ...common],
    signed,
  );
  const key = /with (\S+ key \S+)/.exec(out)?.[1] ?? "their key";
  return code === 0 ? { isGood: true, says: `signed by ${principal} with the ${key}` } : bad(
    `the signature of ${principal} does not match the file, which was changed after it was signed`,
  );
}

function bad(says: string): Verdict {
  return { isGood: false, says };
}
