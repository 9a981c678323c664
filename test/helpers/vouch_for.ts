import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** Makes what vouches for a derived Parquet file vouch for its bytes as they are and for some facts, as a forger would. */
export async function vouchFor(
  derived: string,
  change: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const bytes = await readFile(derived);
  const path = `${derived}.json`;
  const { sha256: _, ...known } = JSON.parse(await readFile(path, "utf8"));
  const size = { size_bytes: bytes.length, crc32: crc32(bytes).toString(16).padStart(8, "0") };
  const forged = { ...known, ...size, ...change };
  const sha256 = createHash("sha256").update(JSON.stringify(forged)).digest("hex");
  await writeFile(path, JSON.stringify({ ...forged, sha256 }));
}
