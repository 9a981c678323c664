import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { writeFully } from "../../../base/disk/write_fully.ts";

/** A file that is written from start to end and hashed on the way. */
export type FileSink = Awaited<ReturnType<typeof openFileSink>>;

/** Opens a file that must not exist. */
export async function openFileSink(path: string) {
  const handle = await open(path, "wx");
  const hash = createHash("sha256");
  let sizeBytes = 0;
  return {
    /** Appends bytes. */
    async write(bytes: Uint8Array): Promise<void> {
      hash.update(bytes);
      sizeBytes += bytes.length;
      await writeFully(handle, { path, bytes });
    },
    /** Closes the file and returns facts about its content. */
    async close(): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
      await handle.close();
      return { sha256: hash.digest("hex"), sizeBytes };
    },
    /** Closes the file without finishing it. */
    abandon: () => handle.close().catch(() => {}),
  };
}
