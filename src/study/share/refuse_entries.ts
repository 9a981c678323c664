import { IntegrityError } from "../../errors.ts";
import type { ZipEntry } from "./read_zip.ts";

const MAX_ENTRIES = 200_000;
const MAX_TOTAL_BYTES = 8_000_000_000;
// Score sets in which every score is missing come to a fiftieth.
const MAX_RATIO = 200;
const SMALL_BYTES = 10_000_000;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const STORED = 0;
const DEFLATED = 8;
// Names that Windows gives to devices, whatever follows the first dot.
const DEVICE = /^(con|conin\$|conout\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;
// Marks that turn the direction of writing, so that a name reads as another one.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const LONGEST_PART_BYTES = 255;

/**
 * Refuses an archive of a stranger that would do harm: entries that leave the folder, links, names that fall together where
 * case does not count, duplicates, devices, hidden names such as `.git`, encrypted content, and more bytes than an archive
 * of this size can mean.
 *
 * @returns The entries that are files
 * @throws {IntegrityError} With the first such entry
 */
export function refuseEntries(
  entries: readonly ZipEntry[],
  archiveBytes: number,
): readonly ZipEntry[] {
  if (entries.length > MAX_ENTRIES) throw refused("got one with", `${entries.length} entries`);
  const total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > MAX_TOTAL_BYTES || total > Math.max(SMALL_BYTES, archiveBytes * MAX_RATIO)) {
    throw refused("got one that would become", `${total} bytes out of ${archiveBytes}`);
  }
  const packed = entries.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0);
  if (packed > archiveBytes) throw refused("got one whose entries share", `${packed} bytes`);
  const files = entries.filter(({ name }) => !name.endsWith("/"));
  for (const entry of entries) refuseEntry(entry);
  refuseCollisions(files.map(({ name }) => name));
  return files;
}

function refuseEntry({ name, mode, method, isEncrypted }: ZipEntry): void {
  refuseHidden(name);
  const type = mode & FILE_TYPE;
  const isPlain = type === 0 || type === (name.endsWith("/") ? FOLDER : REGULAR);
  if (!isPlain) throw refused("got a link or a device,", name);
  if (isEncrypted) throw refused("got encrypted content,", name);
  if (method !== STORED && method !== DEFLATED) {
    throw refused("got one packed by an unknown method,", name);
  }
  const parts = name.replace(/\/$/, "").split("/");
  // deno-lint-ignore no-control-regex
  const isHarmful = /[\\:*?"<>|\u0000-\u001f\u007f]/.test(name) || name.length > 400 ||
    TURNING.test(name);
  const leaves = parts.some((part) =>
    part === "" || part === "." || part === ".." || /[. ]$/.test(part) || DEVICE.test(part) ||
    new TextEncoder().encode(part).length > LONGEST_PART_BYTES
  );
  if (isHarmful || leaves) {
    throw refused(
      "got an entry outside of the folder, or with a name that not every system has,",
      name,
    );
  }
}

// No export has one, and programs obey what stands in them.
function refuseHidden(name: string): void {
  if (/(^|\/)\.[^./]/.test(name)) throw refused("got a hidden name,", name);
}

function refuseCollisions(names: readonly string[]): void {
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  const plain = (name: string) => name.normalize("NFC").toUpperCase().toLowerCase();
  for (const name of names) {
    const other = seen.get(plain(name));
    if (other !== undefined) {
      throw refused("got names that stand twice or differ only in case,", `${other} and ${name}`);
    }
    seen.set(plain(name), name);
    const parts = name.split("/");
    for (let i = 1; i < parts.length; i++) {
      const folder = parts.slice(0, i).join("/");
      const known = folders.get(plain(folder)) ?? folder;
      if (known !== folder) {
        throw refused("got names that differ only in case,", `${known} and ${folder}`);
      }
      folders.set(plain(folder), folder);
    }
  }
  const both = names.find((name) => folders.has(plain(name)));
  if (both !== undefined) throw refused("got a file and a folder of one name,", both);
}

function refused(what: string, found: string): IntegrityError {
  return new IntegrityError(
    `Cannot import the archive: expected one that a study was exported to, ${what} ${
      JSON.stringify(found.slice(0, 200))
    }; nothing was written, ask its sender`,
  );
}
