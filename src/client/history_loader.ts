import { dirname } from "node:path";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { type Factor, parseFactor } from "../contract/factor.ts";
import { isSha256 } from "../contract/identifier.ts";
import { type Instant, instantOf } from "../contract/instant.ts";
import { parseRelease, type Release } from "../contract/release.ts";
import { ContractError, IntegrityError } from "../errors.ts";
import { sourceOf } from "../frame/origin.ts";
import type { Announced } from "../frame/reconcile.ts";
import {
  takeReleaseRows,
  withLazyProvenance,
  withReleaseProvenance,
} from "../frame/release_frame.ts";
import type { StoredRelease } from "../store/release_file.ts";
import type { AnswerHead, ExchangeOptions } from "../transport/exchange.ts";
import { notOffered, notStored, wrongFile } from "./history_errors.ts";
import type { HistoryOptions } from "./history_options.ts";
import { assertReconciled, type ReadRelease, readRelease } from "./history_read.ts";
import type { Loaded } from "./load_promise.ts";
import { bodyJson, readAnswer } from "./read_answer.ts";
import {
  type ArrivedFile,
  type DownloadOptions,
  downloadRelease,
  spent,
} from "./release_download.ts";
import type { ReleaseReport } from "./release_report.ts";
import { type KeptRelease, ReleaseRowsReader, type VerifiedRows } from "./release_rows.ts";
import { beginVerb, responseInfo, type Session } from "./session.ts";

/** What a history frame was made from. */
export interface VerifiedRelease {
  /** Metadata of the release. */
  readonly release: Release;
  /** Every check that it passed. */
  readonly report: ReleaseReport;
  /** Path of the compressed file in the store. */
  readonly path: string;
}

/** A frame of a release, or a lazy frame of it. */
export type HistoryFrame = DataFrame | LazyDataFrame;

type History = Loaded<HistoryFrame, VerifiedRelease>;

interface Arrived {
  readonly file: ArrivedFile;
  readonly announced: Announced;
  readonly read: ReadRelease;
}

interface Asked {
  readonly options: HistoryOptions;
  readonly answer: AnswerHead | null;
}

/** Loads history releases for one connection: each is downloaded at most once, however often it is asked for. */
export class HistoryLoader {
  readonly #session: Session;
  readonly #reader = new ReleaseRowsReader();
  readonly #busy = new Map<Factor, Promise<unknown>>();
  readonly #unfinished = new Map<Factor, Instant>();

  /** @param session What the verbs of the connection share */
  constructor(session: Session) {
    this.#session = session;
  }

  /**
   * Loads a release: from the store if it is there, otherwise by one download.
   *
   * @throws {ScoreframeError} Any error of `errors.ts`; nothing that failed becomes a frame
   */
  async load(given: string, options: HistoryOptions): Promise<History> {
    const factor = readFactor(given);
    // Calls for one factor follow each other: the second one then finds what the first one kept.
    const previous = this.#busy.get(factor);
    const loading = (previous ?? Promise.resolve()).catch(() => undefined)
      .then(() => this.#load(factor, options));
    this.#busy.set(factor, loading);
    return await loading;
  }

  /** Waits until nothing is being written any more. */
  async settle(): Promise<void> {
    await Promise.all([...this.#busy.values()].map((loading) => loading.catch(() => undefined)));
    await this.#reader.settle();
  }

  async #load(factor: Factor, options: HistoryOptions): Promise<History> {
    const verb = beginVerb(this.#session, options);
    verb.signal?.throwIfAborted();
    const wanted = readWanted(factor, options);
    const kept = await this.#findStored(factor, wanted, options.offline === true);
    if (kept !== null) return await this.#fromStore(factor, kept, { options, answer: null });
    if (options.offline === true) throw notStored(factor, this.#session.store.path, wanted);
    const { release, answer } = await readMetadata(this.#session, factor, verb);
    if (wanted !== undefined && release.downloadSha256 !== wanted) {
      throw notOffered(factor, wanted, release.downloadSha256);
    }
    const stored = await this.#findStored(factor, release.downloadSha256, false);
    if (stored !== null) return await this.#fromStore(factor, stored, { options, answer });
    return await this.#fromService({ factor, release, sizeBytes: null }, verb, options);
  }

  // The release of a checksum, or, offline, the one that was received last.
  async #findStored(
    factor: Factor,
    sha256: string | undefined,
    last: boolean,
  ): Promise<StoredRelease | null> {
    if (sha256 === undefined && !last) return null;
    const releases = await this.#session.store.listReleases(factor);
    const found = sha256 === undefined
      ? releases.at(-1)
      : releases.find(({ release }) => release.downloadSha256 === sha256);
    return found ?? null;
  }

  async #fromStore(factor: Factor, stored: StoredRelease, asked: Asked): Promise<History> {
    const kept = { factor, stored };
    const { options } = asked;
    const derived = options.lazy === true
      ? await this.#reader.lazyFromDerived(kept)
      : await this.#reader.fromDerived(kept);
    if (derived !== null) return this.#toHistory(kept, derived, { ...asked, kind: "store" });
    const { release, path, sizeBytes } = stored;
    const announced = { factor, release, sizeBytes };
    const read = await readRelease({ path }, announced, options.signal);
    const isDamaged = read.facts.sha256 !== release.downloadSha256;
    const advice = isDamaged
      ? `the stored file is not what was received; remove ${dirname(path)} and load again, which ` +
        "spends a download"
      : "the file in the store is what the service announced, so that loading it again changes nothing";
    const rows = await this.#keepRows(kept, await verify(read, announced, advice), options);
    return this.#toHistory(kept, rows, { ...asked, kind: "store" });
  }

  async #fromService(
    announced: Announced,
    verb: ExchangeOptions,
    options: HistoryOptions,
  ): Promise<History> {
    const { maxDownloads = 2, progress = true } = options;
    const { factor } = announced;
    this.#tellUnfinished(factor);
    const onStart = () => this.#unfinished.set(factor, instantOf(this.#session.clock.now()));
    const transfer = { ...verb, progress, onStart };
    const { file, read, announced: now } = await this.#receive(announced, transfer, maxDownloads);
    try {
      this.#unfinished.delete(factor);
      const advice = "the file is what the service announced and is kept in the store, " +
        `so that looking at it again costs nothing; ${spent(file.answer)}`;
      // The rows are made while the disk still writes, and handed out when the store has the file.
      const [keeping, verifying] = await Promise.allSettled([
        file.keep(now),
        verify(read, { ...now, sizeBytes: read.facts.sizeBytes }, advice),
      ]);
      if (keeping.status === "rejected") throw keeping.reason;
      if (verifying.status === "rejected") throw verifying.reason;
      const kept = { factor, stored: keeping.value };
      const rows = await this.#keepRows(kept, verifying.value, options);
      return this.#toHistory(kept, rows, { options, answer: file.answer, kind: "service" });
    } finally {
      await file.discard();
    }
  }

  // The release can change between its metadata and its file (section 4.5): then the file is kept under the fresh
  // metadata if these announce it, and asked for again only if they announce yet another one.
  async #receive(
    announced: Announced,
    options: DownloadOptions,
    maxDownloads: number,
  ): Promise<Arrived> {
    const { factor, release } = announced;
    const file = await downloadRelease(this.#session, announced, options);
    const { read, path } = file;
    try {
      if (read.facts.sha256 === release.downloadSha256) return { file, announced, read };
      const { release: now } = await readMetadata(this.#session, factor, options);
      const fresh = { factor, release: now, sizeBytes: null };
      if (read.facts.sha256 === now.downloadSha256) {
        return { file, announced: fresh, read: await readRelease({ path }, fresh) };
      }
      const isChanged = now.downloadSha256 !== release.downloadSha256;
      if (!isChanged || maxDownloads <= 1) throw wrongFile(file, announced, fresh);
      await file.discard();
      return await this.#receive(fresh, options, maxDownloads - 1);
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  #tellUnfinished(factor: Factor): void {
    const begunAt = this.#unfinished.get(factor);
    if (begunAt === undefined) return;
    this.#session.notices.once(
      `The download of the ${factor} history that began at ${begunAt} came to nothing and spent one ` +
        "of the day's downloads; this is another one",
    );
  }

  async #keepRows(
    kept: KeptRelease,
    verified: VerifiedRows,
    options: HistoryOptions,
  ): Promise<{ readonly rows: HistoryFrame; readonly report: ReleaseReport }> {
    await this.#reader.keep(kept, verified, options.lazy === true);
    if (options.lazy !== true) return verified;
    const lazy = await this.#reader.lazyFromDerived(kept);
    if (lazy !== null) return lazy;
    throw new IntegrityError(
      `Cannot load the ${kept.factor} history lazily: the Parquet file beside ${kept.stored.path} ` +
        "must be what was just written, it is not; check the disk",
    );
  }

  #toHistory(
    { factor, stored }: KeptRelease,
    { rows, report }: { readonly rows: HistoryFrame; readonly report: ReleaseReport },
    { options, answer, kind }: Asked & { readonly kind: "store" | "service" },
  ): History {
    const { release, path, availableFrom } = stored;
    const synthetic = release.extra.synthetic === true || answer?.synthetic === true ||
      this.#session.store.info.synthetic;
    const source = sourceOf(kind === "store" || !answer ? "store" : answer.source, synthetic);
    const origin = { factor, release, receipt: { source, retrievedAt: availableFrom } };
    const data = isLazy(rows)
      ? withLazyProvenance(rows, origin, options.provenance)
      : withReleaseProvenance(rows, origin, options);
    return { data, raw: { release, report, path }, response: answer && responseInfo(answer) };
  }
}

// Judges a file that was read and makes its rows a frame, which empties what was parsed.
async function verify(
  read: ReadRelease,
  announced: Announced,
  advice: string,
): Promise<VerifiedRows> {
  const report = assertReconciled(read, announced, advice);
  const { columns } = read.parser;
  const rows = await takeReleaseRows(columns, announced.factor);
  return { rows, report, tickers: columns.tickers.names };
}

function isLazy(frame: HistoryFrame): frame is LazyDataFrame {
  return "collect" in frame;
}

async function readMetadata(
  session: Session,
  factor: Factor,
  verb: ExchangeOptions,
): Promise<{ release: Release; answer: AnswerHead }> {
  const action = `load the metadata of the ${factor} history`;
  const answer = await session.exchange.send({
    method: "GET",
    endpoint: "history",
    path: `/v1/scores/history?factor=${factor}`,
    accept: "application/json",
    action,
  }, verb);
  const context = { answer, action, redact: session.redact };
  return { release: readAnswer(context, () => parseRelease(bodyJson(answer), factor)), answer };
}

function readWanted(factor: Factor, { downloadSha256 }: HistoryOptions): string | undefined {
  const wanted = downloadSha256?.toLowerCase();
  if (wanted === undefined || isSha256(wanted)) return wanted;
  throw new ContractError(
    `Cannot load the ${factor} history: downloadSha256 must be 64 hexadecimal digits, got "${wanted}"`,
  );
}

function readFactor(given: string): Factor {
  try {
    return parseFactor(given);
  } catch {
    throw new ContractError(
      `Cannot load the history: factor must be "ecpnd" or "ecqdi", got "${given}" (invalid_factor)`,
    );
  }
}
