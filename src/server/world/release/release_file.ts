import { createHash } from "node:crypto";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { createGzip } from "node:zlib";
import { Gzip } from "fflate";
import type { CalendarDate } from "../../../base/contract/instant.ts";
import { writeFully } from "../../../base/disk/files.ts";
import { MICRO, NOT_COVERED } from "../score_state.ts";

// Level 3 takes a third of the time of level 6 for 3% more bytes.
const NATIVE_LEVEL = 3;
const PORTABLE_LEVEL = 6;

// Larger pieces are written at once.
const PIECE_CHARACTERS = 1 << 20;

/** Text that goes on in pieces of a megabyte. */
export function inPieces(write: (piece: Uint8Array) => Promise<void>) {
  let text = "";
  const flush = async () => {
    const piece = new TextEncoder().encode(text);
    text = "";
    await write(piece);
  };
  return {
    /** Appends text. */
    async add(more: string): Promise<void> {
      text += more;
      if (text.length > PIECE_CHARACTERS) await flush();
    },
    /** Writes the last piece. */
    flush,
  };
}

/** Opens a new file that is hashed while it is written. */
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
    /** Closes the file, and returns its hash and its size. */
    async close(): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
      await handle.close();
      return { sha256: hash.digest("hex"), sizeBytes };
    },
    /** Closes the file after a failure. */
    abandon: () => handle.close().catch(() => {}),
  };
}

/** Facts of a finished release file: `sourceSha256` is that of the CSV. */
export type ReleaseFacts = Awaited<
  ReturnType<Awaited<ReturnType<typeof openReleaseFile>>["finish"]>
>;

/** The words of a release file. */
interface ReleaseNames {
  /** Its header. */
  readonly header: string;
  /** Tickers of all companies, alphabetical. */
  readonly tickers: readonly string[];
}

/**
 * Opens the file of a release, which is written session by session, with bounded memory.
 *
 * @param path The compressed file; it must not exist
 * @param isNative Uses the platform's compressor, which is fast, and whose bytes depend on its version
 */
export async function openReleaseFile(path: string, names: ReleaseNames, isNative: boolean) {
  const file = await openFileSink(path);
  const gzip = openGzip(file.write, isNative);
  const source = createHash("sha256");
  const seen = new Uint8Array(names.tickers.length);
  const counts = { sessions: 0, rows: 0, scoredRows: 0 };
  const rows = inPieces((piece) => {
    source.update(piece);
    return gzip.write(piece);
  });
  await rows.add(`${names.header}\n`);
  return {
    /** Appends the rows of a session; scores are in millionths. */
    async writeSession(date: CalendarDate, micro: Int32Array): Promise<void> {
      counts.sessions++;
      let text = "";
      for (let i = 0; i < micro.length; i++) {
        const score = micro[i]!;
        if (score === NOT_COVERED) continue;
        seen[i] = 1;
        counts.rows++;
        if (score >= 0) counts.scoredRows++;
        text += `${date},${names.tickers[i]},${score < 0 ? "" : score / MICRO}\n`;
      }
      await rows.add(text);
    },
    /** Finishes the file. */
    async finish() {
      await rows.flush();
      await gzip.end();
      const [sourceSha256, tickers] = [source.digest("hex"), seen.filter(Boolean).length];
      return { ...await file.close(), sourceSha256, tickers, ...counts };
    },
    /** Closes the file without finishing it. */
    abandon: file.abandon,
  };
}

/** Compresses to a sink, piece by piece, with equal bytes for equal pieces. */
export function openGzip(sink: (piece: Uint8Array) => Promise<void> | void, isNative: boolean) {
  const ready: Uint8Array[] = [];
  const { push, end } = isNative ? nativeGzip(ready) : portableGzip(ready);
  const drainAfter = async (work: Promise<void> | void) => {
    await work;
    for (const piece of ready.splice(0)) await sink(piece);
  };
  return {
    /** Compresses a piece. */
    write: (piece: Uint8Array) => drainAfter(push(piece)),
    /** Compresses what is left. */
    end: () => drainAfter(end()),
  };
}

function nativeGzip(ready: Uint8Array[]) {
  const gzip = createGzip({ level: NATIVE_LEVEL, chunkSize: 1 << 18 });
  gzip.on("data", (piece: Uint8Array) => ready.push(piece));
  return {
    push: async (piece: Uint8Array) => {
      if (!gzip.write(piece)) await once(gzip, "drain");
    },
    end: async () => void await once(gzip.end(), "end"),
  };
}

function portableGzip(ready: Uint8Array[]) {
  // Without a time, equal content has equal bytes.
  const gzip = new Gzip({ level: PORTABLE_LEVEL, mtime: 0 }, (piece) => ready.push(piece));
  return {
    push: (piece: Uint8Array) => gzip.push(piece),
    end: () => gzip.push(new Uint8Array(0), true),
  };
}
