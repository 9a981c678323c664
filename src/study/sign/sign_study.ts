import { join } from "node:path";
import { readTextFile } from "../../base/disk/files.ts";
import { IntegrityError } from "../../base/errors.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { encodeLock } from "../lock/lock_text.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { MANIFEST, SIGNATURE } from "../share/manifest.ts";
import { signText } from "./sign_text.ts";

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
    throw new IntegrityError(
      `Cannot sign ${folder}: expected ` +
        `${broken === undefined ? "a study.lock.json" : brokenSealWords(broken)}, got another ` +
        "one; study verify lists the differences",
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
