import { homedir } from "node:os";
import { join } from "node:path";
import { ScoreframeError } from "../../base/errors.ts";
import { sshKeygen } from "./ssh_keygen.ts";
import { isThere } from "../../base/disk/is_file.ts";

/** Namespace of signatures over a study, so that none is valid for a commit or a mail. */
export const NAMESPACE = "scoreframe-study";

const KEYS = ["id_ed25519", "id_ecdsa", "id_rsa", "id_ed25519_sk", "id_ecdsa_sk"];

/**
 * Signs a text with an SSH key, as `ssh-keygen -Y sign -n scoreframe-study` does.
 *
 * @param key Path of the private key, or of the public key of one that ssh-agent holds
 * @throws {ScoreframeError} If the key cannot sign
 */
export async function signText(text: string, key: string): Promise<string> {
  const { code, out, error } = await sshKeygen(
    ["-Y", "sign", "-q", "-f", key, "-n", NAMESPACE],
    text,
  );
  if (code === 0 && out.startsWith("-----BEGIN SSH SIGNATURE-----")) return out;
  const said = error.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  throw new ScoreframeError(
    `Cannot sign with ${key}: expected an SSH key that can sign, got "${said}" from ssh-keygen; give a private key, or a ` +
      "public one that ssh-agent holds, with --key",
  );
}

/**
 * The SSH key of the user.
 *
 * @throws {ScoreframeError} If OpenSSH's folder has none
 */
export async function findKey(): Promise<string> {
  const folder = join(homedir(), ".ssh");
  for (const name of KEYS) {
    const path = join(folder, name);
    if (await isThere(path)) return path;
  }
  throw new ScoreframeError(
    `Cannot sign: expected an SSH key in ${folder}, got none of ${KEYS.join(", ")}; give one ` +
      "with --key, or create one with: ssh-keygen -t ed25519",
  );
}
