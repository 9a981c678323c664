import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readTextFile } from "../../base/disk/files.ts";
import { isFile } from "../../base/disk/is_file.ts";

/** A configuration file of a project in a form that works on other machines. */
export interface PortablePin {
  /** Its text. */
  readonly text: string;
  /** Path of its packed library; `null` if it has none. */
  readonly archive: string | null;
  /** A note if part of it works only on this machine; otherwise `null`. */
  readonly note: string | null;
}

/** Name of the packed library in an archive. */
export const PACKED_LIBRARY = "scoreframe.tgz";

const ENTRY = /("(?:@\w+\/)?scoreframe"\s*:\s*")([^"]+)(")/;

/** A `deno.json` or `package.json` whose entry for this library is no path of this machine. */
export async function portablePin(path: string, name: string): Promise<PortablePin> {
  const text = await readTextFile(path) ?? "";
  const target = ENTRY.exec(text)?.[2] ?? "";
  const place = placeOf(target, dirname(path));
  if (place === null) return { text, archive: null, note: null };
  const isPacked = /\.(tgz|tar\.gz)$/.test(place) &&
    await isFile(place);
  if (isPacked) {
    const moved = text.replace(ENTRY, `$1file:./${PACKED_LIBRARY}$3`);
    return { text: moved, archive: place, note: null };
  }
  const note =
    `${name} imports scoreframe from ${target}, a path of this machine; on others, verify --run uses the ` +
    "copy of scoreframe that runs it";
  return { text, archive: null, note };
}

function placeOf(target: string, folder: string): string | null {
  if (target.startsWith("file://")) return fileURLToPath(target);
  if (target.startsWith("file:")) return resolve(folder, target.slice("file:".length));
  return target.startsWith(".") || isAbsolute(target) ? resolve(folder, target) : null;
}
