import { open, statfs } from "node:fs/promises";
import { instantOf } from "../../base/contract/instant.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import type { ReleaseOffer } from "../../frames/frame/release_file/reconcile_facts.ts";
import { createProgress, type Progress } from "../../frames/notebook/kernel/progress.ts";
import type { ReleaseStaging } from "../../base/store/release/release_folder.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type {
  AnswerHead,
  IfNeededOptions,
  SendOptions,
  StreamedAnswer,
} from "../transport/exchange.ts";
import { lengthOf } from "../transport/call/body.ts";
import { noRoom, notWritable, spent, withCost } from "./release_errors.ts";
import type { ReadRelease, ReleaseReader } from "./verify_release.ts";
import type { HistoryOptions } from "./history_options.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";
import { writeFully } from "../../base/disk/files.ts";

// A write takes about a tenth of a millisecond however small it is, and a network delivers 64 KiB at a time; larger pieces
// would wait longer to fill.
const PIECE_SIZE = 1 << 18;

/** A complete file in the store's staging folder, with the result of reading it. */
export interface ReleaseDownload<Read extends ReadRelease = ReadRelease> {
  /** The file, parsed while it arrived. */
  readonly read: Read;
  /** Path in the staging folder. */
  readonly path: string;
  /** The answer with the file. */
  readonly answer: AnswerHead;
  /** Size that the service stated, or `null`. */
  readonly sizeBytes: number | null;
  /** Makes the file a release of the store, under its metadata. */
  keep(announced: ReleaseOffer): Promise<StoredRelease>;
  /** Removes the file if it was not kept, and frees the download slot; the next waiting load checks the store first. */
  discard(): Promise<void>;
}

/** Options of a download. */
export interface DownloadOptions<Read extends ReadRelease>
  extends IfNeededOptions, Pick<HistoryOptions, "progress"> {
  /** Reads the file while it arrives. */
  readonly read: ReleaseReader<Read>;
  /**
   * Answer to a preceding HEAD for the same file.
   *
   * @default a HEAD is sent
   */
  readonly head?: AnswerHead;
}

/**
 * Downloads the file of a release into the store's staging folder, and hashes, inflates, parses and checks it on the way. A
 * HEAD is sent first, so that a refusal costs a request instead of a download.
 *
 * @returns The file, or `null` if it was no longer needed when its turn came, so that nothing was spent
 * @throws {TransportError} If the transfer failed or took too long; nothing is kept
 */
export async function downloadRelease<Read extends ReadRelease>(
  context: ConnectionContext,
  announced: ReleaseOffer,
  options: DownloadOptions<Read>,
): Promise<ReleaseDownload<Read> | null> {
  const { factor } = announced;
  const head = options.head ?? await askFileHead(context, announced, options);
  await assertRoom(context, announced, lengthOf(head));
  const staging = await context.store.stageRelease(factor).catch((error: unknown) => {
    throw notWritable(announced, context.store.path, error);
  });
  try {
    const patience = { ...options, timeoutMs: options.timeoutMs ?? LIMITS.transferIdleMs };
    const answer = await context.exchange.open(fileRequest(announced, "GET"), patience);
    if (answer === null) {
      await staging.discard();
      return null;
    }
    const sizeBytes = lengthOf(answer) ?? lengthOf(head);
    const read = await receive({ context, answer, staging, sizeBytes }, announced, options);
    const keep = (kept: ReleaseOffer) => commit({ context, answer, staging }, read, kept);
    const discard = async () => {
      await staging.discard();
      await answer.close();
    };
    return { read, path: staging.path, answer, sizeBytes, keep, discard };
  } catch (error) {
    await staging.discard();
    throw error;
  }
}

/** Requests the headers of a release's file, which spends no download. */
export async function askFileHead(
  context: ConnectionContext,
  announced: ReleaseOffer,
  options: SendOptions,
): Promise<AnswerHead> {
  return await context.exchange.send(fileRequest(announced, "HEAD"), options);
}

function fileRequest<Method extends "GET" | "HEAD">(
  { factor, release }: ReleaseOffer,
  method: Method,
) {
  return {
    method,
    endpoint: "historyFile",
    path: release.download,
    accept: "application/gzip",
    action: `download the ${factor} history`,
  } as const;
}

interface Transfer {
  readonly context: ConnectionContext;
  readonly answer: StreamedAnswer;
  readonly staging: ReleaseStaging;
  readonly sizeBytes: number | null;
}

async function receive<Read extends ReadRelease>(
  transfer: Transfer,
  announced: ReleaseOffer,
  { signal, progress: isShown, read: readFile }: DownloadOptions<Read>,
): Promise<Read> {
  const { context, answer, sizeBytes } = transfer;
  const progress = createProgress(`${announced.factor} history`, {
    unit: "bytes",
    ...(isShown !== undefined && { enabled: isShown }),
  });
  try {
    noteBegun(context, announced);
    const chunks = writeThrough({ ...transfer, progress });
    const read = await readFile({ chunks, sizeBytes }, { ...announced, sizeBytes }, { signal });
    await progress.finish("received and verified against its checksum");
    return read;
  } catch (error) {
    await answer.close();
    await progress.finish("interrupted; nothing was kept");
    throw withCost(error, announced, { storePath: context.store.path, cost: spent(answer) });
  }
}

// Flushing while the network is slow saves a wait at the end.
const FLUSH_SIZE = 1 << 22;

async function commit(
  { context, staging, answer }: Omit<Transfer, "sizeBytes">,
  { facts }: ReadRelease,
  kept: ReleaseOffer,
): Promise<StoredRelease> {
  try {
    const stored = await staging.commit({
      release: kept.release,
      sha256: facts.sha256,
      sizeBytes: facts.sizeBytes,
      availableFrom: instantOf(answer.receivedAtMs),
      origin: context.exchange.origin,
    });
    context.ledger.writeUnfinished(kept.factor, null);
    return stored;
  } catch (error) {
    throw withCost(error, kept, { storePath: context.store.path, cost: spent(answer) });
  }
}

// With the size from HEAD, a full disk is found before a download is spent.
async function assertRoom(
  { store }: ConnectionContext,
  announced: ReleaseOffer,
  required: number | null,
): Promise<void> {
  const disk = await statfs(store.path).catch(() => null);
  if (required === null || disk === null) return;
  const free = disk.bavail * disk.bsize;
  if (free < required) throw noRoom(announced, store.path, required, free);
}

// One download runs at a time, so a remaining note belongs to one that failed.
function noteBegun({ ledger, clock, notices }: ConnectionContext, { factor }: ReleaseOffer): void {
  const begunAt = ledger.readUnfinished(factor);
  ledger.writeUnfinished(factor, instantOf(clock.now()));
  if (begunAt === null) return;
  notices.once(
    `The download of the ${factor} history that began at ${begunAt} failed, and spent one ` +
      "of the day's downloads; this load spends another one",
  );
}

/**
 * Passes the bytes of an answer on after writing them to a new file, in pieces of 256 KiB with their own memory; the file is
 * complete when the last piece is passed on.
 *
 * @throws {StorageError} If the disk is full
 */
async function* writeThrough(
  { answer, staging, sizeBytes, progress }: Transfer & { readonly progress: Progress },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  await using file = await open(staging.path, "wx");
  let [done, flushed] = [0, 0];
  for await (const bytes of joined(answer.chunks)) {
    await writeFully(file, { path: staging.path, bytes });
    done += bytes.length;
    if (done >= flushed + FLUSH_SIZE) {
      staging.flush();
      flushed = done;
    }
    progress.update({ done, total: sizeBytes });
    yield bytes;
  }
}

async function* joined(chunks: AsyncIterable<Uint8Array>) {
  let piece = new Uint8Array(PIECE_SIZE);
  let length = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length;) {
      const taken = chunk.subarray(offset, offset + PIECE_SIZE - length);
      piece.set(taken, length);
      length += taken.length;
      offset += taken.length;
      if (length < PIECE_SIZE) continue;
      yield piece;
      piece = new Uint8Array(PIECE_SIZE);
      length = 0;
    }
  }
  if (length > 0) yield piece.slice(0, length);
}
