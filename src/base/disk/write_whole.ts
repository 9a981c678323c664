import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./files.ts";
import { replaceFile } from "./replace_file.ts";
import { writeFully } from "./write_fully.ts";

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
