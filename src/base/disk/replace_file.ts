import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, temporaryPath, writeFully } from "./files.ts";

/**
 * Creates or replaces a file under a temporary name and renames it, so that an earlier file stays until the new one is complete.
 *
 * @param write Writes the content to the path that it gets
 * @param temporary Temporary path on the same file system; a name in the folder of the file by default
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
  temporary: string = temporaryPath(dirname(path)),
): Promise<void> {
  try {
    await write(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Creates or replaces a file; at any moment, even after a power loss, readers find the whole old content or the whole new one.
 *
 * @param content The new content, or the pieces of it
 * @param options `temporary`: path to write to before the rename, on the same file system; a name in its folder by default
 */
export async function writeWhole(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  { temporary }: { readonly temporary?: string } = {},
): Promise<void> {
  const write = async (aside: string) => {
    await using file = await open(aside, "wx");
    if (typeof content === "string") await file.writeFile(content);
    else for await (const piece of content) await writeFully(file, { path, bytes: piece });
    await file.sync();
  };
  await replaceFile(path, write, temporary);
  await syncFolder(dirname(path));
}
