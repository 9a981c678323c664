import { IntegrityError } from "../../base/errors.ts";
import { quoted } from "./refuse_entries.ts";

/** Name of the list of checksums in an archive, in the form that `sha256sum -c` reads. */
export const MANIFEST = "manifest-sha256.txt";

/** End of the name of the file with the signature over another one. */
export const SIGNATURE = ".sig";

// Control characters in the name of a missing file.
const CONTROL = /[\p{Cc}\p{Cf}]/u;

/**
 * The paths of a list of checksums with their SHA-256.
 *
 * @throws {IntegrityError} If a line is malformed or a name is repeated
 */
export function parseChecksums(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (line === "") continue;
    const [, sha256, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (sha256 === undefined || name === undefined || CONTROL.test(name)) {
      throw malformed("a checksum and a name in each line", line);
    }
    // With two checksums for one name, readers may see different files.
    if (name === MANIFEST || found.has(name)) {
      throw malformed("each name once, and not its own,", line);
    }
    found.set(name, sha256);
  }
  return found;
}

function malformed(required: string, line: string): IntegrityError {
  return new IntegrityError(
    `Cannot import the archive: expected ${required} in ${MANIFEST}, got ${quoted(line)}; ask ` +
      "for the archive again",
  );
}
