import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { Zip, type ZipInputFile } from "fflate";
import { packContent } from "./pack_content.ts";
import type { StudyFiles } from "./study_files.ts";
import { withZip64End } from "./zip/zip64_end.ts";

const DEFLATED = 8;
// Small files are passed on together: one by one, each would cost more than its content.
const PIECE_BYTES = 1 << 20;

/**
 * The bytes of a zip, file after file, with one large file or a megabyte of small ones in memory. Equal files give equal
 * bytes under one version of the runtime.
 *
 * @param files Its files, in the order of their names
 * @param onPacked Called after each file
 */
export async function* zipChunks(
  files: StudyFiles,
  onPacked?: (done: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  let held = 0;
  let done = 0;
  for (const path of [...files.keys()].sort()) {
    const content = await files.get(path)!.read();
    const packed = packContent(path, content);
    const entry: ZipInputFile = {
      filename: path,
      size: content.length,
      crc: crc32(content),
      compression: DEFLATED,
      // The earliest time of the format; the package writes it as local time.
      mtime: new Date(1980, 0, 1),
      os: 3,
      attrs: 0o100644 << 16,
    };
    zip.add(entry);
    entry.ondata!(null, packed, true);
    held += content.length;
    onPacked?.(++done);
    if (held < PIECE_BYTES) continue;
    held = 0;
    yield Buffer.concat(chunks.splice(0));
  }
  if (chunks.length > 0) yield Buffer.concat(chunks.splice(0));
  zip.end();
  yield withZip64End(Buffer.concat(chunks), files.size);
}
