import { IntegrityError } from "../../errors.ts";

/** Name of the list of checksums in an archive, in the form that `sha256sum -c` reads. */
export const MANIFEST = "manifest-sha256.txt";

/**
 * The paths of a list of checksums with their SHA-256.
 *
 * @throws {IntegrityError} If a line has another form
 */
export function parseManifest(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  return new Map(lines.map((line) => {
    const [, sha256, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (sha256 !== undefined && name !== undefined) return [name, sha256];
    throw new IntegrityError(
      `Cannot import the archive: expected a checksum and a name in each line of ${MANIFEST}, got ` +
        `${JSON.stringify(line.slice(0, 100))}; ask for the archive again`,
    );
  }));
}
