import { Buffer } from "node:buffer";
import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { exportMark } from "../../base/runtime/export_mark.ts";
import { replaceFile } from "../../base/disk/replace_file.ts";
import { systemWords } from "../../base/disk/on_disk.ts";
import { StorageError } from "../../base/errors.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";

const MAX_PATH = 200;
// The last chunk of a PNG, IEND, is empty: length, name and checksum.
const PNG_END = 12;

/**
 * Writes a file that a user asked for: to another name first, so that an earlier file stays until the new one is complete.
 *
 * @param action What is done, worded to follow "Cannot"
 * @param path Path of the file
 * @param content Content of the file
 * @throws {StorageError} If the folder is not there or cannot be written, or the path is that of a folder
 */
export async function saveFile(
  action: string,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  refuseAddress(action, path);
  try {
    const marked = withMark(path.split(".").at(-1)!.toLowerCase(), content);
    await replaceFile(path, (aside) => writeFile(aside, marked));
  } catch (cause) {
    throw new StorageError(`Cannot ${action} to ${shorten(path)}: ${await reasonOf(path, cause)}`, {
      cause,
    });
  }
}

/** Adds which studies were open to a file, where its format has a place that is not shown. */
function withMark(ending: string, content: string | Uint8Array): string | Uint8Array {
  const mark = exportMark();
  if (mark === null) return content;
  if (typeof content === "string") {
    if (ending === "svg") return content.replace(/<svg\b[^>]*>/, (tag) => `${tag}<!--${mark}-->`);
    if (ending !== "json") return content.replace("<head>", () => `<head>\n<!--${mark}-->`);
    const spec = JSON.parse(content);
    const usermeta = { ...spec.usermeta, mark };
    return `${JSON.stringify({ ...spec, usermeta }, null, 2)}\n`;
  }
  const text = new TextEncoder().encode(ending === "pdf" ? `\n%${mark}\n` : `tEXtComment\0${mark}`);
  if (ending === "pdf") return Buffer.concat([content, text]);
  const frame = new DataView(new ArrayBuffer(8));
  frame.setUint32(0, text.length - 4);
  frame.setUint32(4, crc32(text));
  const [length, check] = [new Uint8Array(frame.buffer, 0, 4), new Uint8Array(frame.buffer, 4)];
  const end = content.length - PNG_END;
  return Buffer.concat([content.subarray(0, end), length, text, check, content.subarray(end)]);
}

async function reasonOf(path: string, cause: unknown): Promise<string> {
  const folder = dirname(path);
  const [there, target] = await Promise.all([kindOf(folder), kindOf(path)]);
  if (target === "folder") return "expected the path of a file, got that of a folder; add a name";
  if (there === "file") {
    return `expected a folder at ${shorten(folder)}, got a file; choose another`;
  }
  if (there === null) {
    return `expected the folder ${shorten(folder)}, got none; make it first: ` +
      `await Deno.mkdir(${JSON.stringify(shorten(folder))}, { recursive: true })`;
  }
  const words = systemWords(cause)?.message ?? String((cause as Error).message);
  const reason = words.replace(/[,;] .*$/s, "");
  return `expected a folder that can be written, got "${reason}"; use another folder`;
}

async function kindOf(path: string): Promise<"file" | "folder" | null> {
  return await stat(path).then((found) => found.isDirectory() ? "folder" : "file", () => null);
}

function shorten(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
