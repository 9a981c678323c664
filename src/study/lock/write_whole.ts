import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { writePiece } from "./write_piece.ts";

/**
 * Replaces a file, or makes it: at any moment its readers find all of the old content or all of the new.
 *
 * @param content The new content, or the pieces of it
 */
export async function writeWhole(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.tmp-${crypto.randomUUID()}`);
  try {
    const file = await open(temporary, "wx");
    try {
      if (typeof content === "string") await file.writeFile(content);
      else for await (const piece of content) await writePiece(file, { path, piece });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(folder);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows does not open folders.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
