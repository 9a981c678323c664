import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";

/** Replaces a file, or makes it: whoever reads it finds all of the old content or all of the new. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.tmp-${crypto.randomUUID()}`);
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(content);
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
