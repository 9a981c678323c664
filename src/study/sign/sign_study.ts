import { join, resolve } from "node:path";
import { homedir } from "node:os";
import { type EndedProgram, runProgram } from "../../base/runtime/programs.ts";
import { isThere, readTextFile } from "../../base/disk/files.ts";
import { IntegrityError, ScoreframeError } from "../../base/errors.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { encodeLock } from "../lock/lock_text.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { MANIFEST, SIGNATURE } from "../share/manifest.ts";

/** Namespace of signatures over a study, so that none is valid for a commit or a mail. */
export const NAMESPACE = "scoreframe-study";

const KEYS = ["id_ed25519", "id_ecdsa", "id_rsa", "id_ed25519_sk", "id_ecdsa_sk"];

const LONGEST_MS = 120_000;

/**
 * Signs the lock of a study, and the manifest of an imported one, with an SSH key. The signatures are files beside them.
 *
 * @returns The signed files
 * @throws {IntegrityError} If the lock was edited, because a signature would attest to it
 */
export async function signStudy(folder: string, key: string): Promise<readonly string[]> {
  const read = await readLockFile(folder);
  const broken = read?.broken[0];
  if (read === null || broken !== undefined) {
    const required = broken === undefined ? "a study.lock.json" : brokenSealWords(broken);
    throw new IntegrityError(
      `Cannot sign ${folder}: expected ${required}, got another one; study verify lists the differences`,
    );
  }
  const lock = encodeLock(read.lock);
  const manifest = await readTextFile(join(folder, MANIFEST));
  const signed: string[] = [];
  // The normal form is signed, and written to the file.
  const write = (path: string, text: string) =>
    onDisk(`write ${join(folder, path)}`, () => writeWhole(join(folder, path), text));
  if (read.text !== lock) await write(LOCK_FILE, lock);
  for (const [path, text] of [[LOCK_FILE, lock], [MANIFEST, manifest]] as const) {
    if (text === null) continue;
    const plain = text.replaceAll("\r\n", "\n");
    await write(`${path}${SIGNATURE}`, await signText(plain, key));
    signed.push(path);
  }
  return signed;
}

/**
 * Signs a text with an SSH key, as `ssh-keygen -Y sign -n scoreframe-study` does.
 *
 * @param key Path of the private key, or of the public key of one that ssh-agent holds
 * @throws {ScoreframeError} If the key cannot sign
 */
export async function signText(text: string, key: string): Promise<string> {
  const { code, out, error } = await sshKeygen(
    ["-Y", "sign", "-q", "-f", resolve(key), "-n", NAMESPACE],
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

/**
 * Runs OpenSSH's `ssh-keygen` with a text as its input; it asks for passphrases at the terminal itself.
 *
 * @throws {ScoreframeError} If it is not installed
 */
export async function sshKeygen(args: readonly string[], input: string): Promise<EndedProgram> {
  return await runProgram("ssh-keygen", args, { input, timeoutMs: LONGEST_MS }).catch((cause) => {
    throw new ScoreframeError(
      "Cannot sign or check a signature: expected ssh-keygen of OpenSSH 8.1 or later on the PATH, got none; install it " +
        "(Debian: apt-get install openssh-client)",
      { cause },
    );
  });
}
