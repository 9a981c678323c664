import { IntegrityError } from "../../base/errors.ts";
import { visibleText } from "../../base/wording/visible_text.ts";
import type { ZipEntry } from "../../base/read_zip.ts";

// Twenty years of hourly checks with their sets.
const MAX_ENTRIES = 600_000;
const MAX_TOTAL_BYTES = 8_000_000_000;
// Sets without any score compress to a fiftieth.
const MAX_RATIO = 200;
const SMALL_BYTES = 10_000_000;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const STORED = 0;
const DEFLATED = 8;
// Device names of Windows, whatever follows the first dot.
const DEVICE = /^(con|conin\$|conout\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;
// Invisible characters and marks of direction make one name look like another. Joiners are allowed, because emoji and
// some scripts need them.
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const LONGEST_PART_BYTES = 255;

const MOST_CHARACTERS = 200;

/**
 * Refuses a harmful archive: entries outside of the folder, links, duplicates, names that differ only in case, devices,
 * hidden names such as `.git`, encrypted content, and more bytes than an archive of this size can reasonably hold.
 *
 * @returns The entries of files
 * @throws {IntegrityError} For the first such entry
 */
export function refuseEntries(
  entries: readonly ZipEntry[],
  archiveBytes: number,
): readonly ZipEntry[] {
  if (entries.length > MAX_ENTRIES) throw refused("got one with", `${entries.length} entries`);
  const total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > MAX_TOTAL_BYTES || total > Math.max(SMALL_BYTES, archiveBytes * MAX_RATIO)) {
    throw refused("got one that would expand to", `${total} bytes from ${archiveBytes}`);
  }
  const packed = entries.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0);
  if (packed > archiveBytes) throw refused("got one whose entries share", `${packed} bytes`);
  for (const entry of entries) refuseEntry(entry);
  refuseCollisions(entries.map(({ name }) => name));
  return entries.filter(({ name }) => !name.endsWith("/"));
}

function refuseEntry({ name, mode, method, sizeBytes, isEncrypted }: ZipEntry): void {
  const isFolder = name.endsWith("/");
  const type = mode & FILE_TYPE;
  const leaves = name.replace(/\/$/, "").split("/").some((part) =>
    ["", ".", ".."].includes(part) || /[. ]$/.test(part) || DEVICE.test(part) ||
    new TextEncoder().encode(part).length > LONGEST_PART_BYTES
  );
  const faults: readonly (readonly [isThere: boolean, what: string])[] = [
    // No export has hidden files, and programs read their settings from them.
    [/(^|\/)\.+[^./\\]/.test(name), "a hidden name"],
    [isFolder && sizeBytes > 0, "a folder with content"],
    [type !== 0 && type !== (isFolder ? FOLDER : REGULAR), "a link or a device"],
    [isEncrypted, "encrypted content"],
    [method !== STORED && method !== DEFLATED, "one compressed by an unknown method"],
    [
      leaves || /[\\:*?"<>|]/.test(name) || name.length > 400 || UNSEEN.test(name),
      "an entry outside of the folder, or with a name that some systems do not allow",
    ],
  ];
  const fault = faults.find(([isThere]) => isThere);
  if (fault !== undefined) throw refused(`got ${fault[1]},`, name);
}

function refuseCollisions(names: readonly string[]): void {
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  // Most files share a folder with thousands of others.
  const known = new Set<string>();
  for (const name of names) {
    const plain = plainName(name);
    const other = seen.get(plain);
    if (other !== undefined) {
      throw refused("got names that are equal or differ only in case,", `${other} and ${name}`);
    }
    seen.set(plain, name);
    for (let end = name.lastIndexOf("/"); end >= 0; end = name.lastIndexOf("/", end - 1)) {
      const folder = name.slice(0, end);
      if (known.has(folder)) break;
      known.add(folder);
      const same = folders.get(plainName(folder)) ?? folder;
      if (same !== folder) {
        throw refused("got names that differ only in case,", `${same} and ${folder}`);
      }
      folders.set(plainName(folder), folder);
    }
  }
  const both = [...folders].find(([plain]) => seen.has(plain));
  if (both !== undefined) throw refused("got a file and a folder with the same name,", both[1]);
}

function plainName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

function refused(what: string, found: string): IntegrityError {
  return new IntegrityError(
    `Cannot import the archive: expected an exported study, ${what} ${quoted(found)}; nothing ` +
      "was written; ask the sender for another copy",
  );
}

/** Quotes an untrusted text, with escapes for control characters and invisible ones. */
export function quoted(text: string): string {
  return visibleText(JSON.stringify(text.slice(0, MOST_CHARACTERS)));
}
