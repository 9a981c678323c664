import { dirname } from "node:path";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { Factor } from "../../base/contract/factor.ts";
import { isSha256 } from "../../base/contract/identifier.ts";
import { instantOf } from "../../base/contract/instant.ts";
import type { Release } from "../../base/contract/release.ts";
import { describe } from "../../base/contract/violation.ts";
import { IntegrityError, TransportError } from "../../base/errors.ts";
import { sourceOf } from "../../frames/frame/provenance/origin.ts";
import type { ReleaseOffer } from "../../frames/frame/release_file/reconcile_facts.ts";
import {
  withLazyProvenance,
  withReleaseProvenance,
} from "../../frames/frame/release/release_frame.ts";
import { metadataId, type StoredRelease } from "../../base/store/release/release_file.ts";
import { listRefused } from "../../base/store/release/refuse_release.ts";
import { correctRelease } from "../../base/store/release/release_folder.ts";
import { withFlight } from "../../base/disk/with_flight.ts";
import { untilAborted } from "../transport/call/body.ts";
import { Deadline } from "../transport/call/deadline.ts";
import type { AnswerHead, SendOptions } from "../transport/exchange.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { findAnnounced, findRelease, refusedBefore, setReleaseAside } from "./stored_releases.ts";
import { notOffered, notStored, spent } from "./release_errors.ts";
import { assertWhole, HISTORY_RULES, type HistoryOptions, readFactor } from "./history_options.ts";
import { assertReconciled, type BuiltRelease, frameReader } from "./verify_release.ts";
import type { Loaded } from "../verb/load_promise.ts";
import { loadReleaseMetadata, receiveRelease } from "./receive_release.ts";
import { findRestated, sayRestated } from "./restated_release.ts";
import type { ReleaseReport } from "./release_report.ts";
import {
  type KeptRelease,
  type ReleaseRows,
  ReleaseRowsReader,
  type VerifiedRows,
} from "./release_rows.ts";
import { beginVerb, type ConnectionContext, responseInfo } from "../verb/connection_context.ts";

/** Source of a history frame. */
export interface VerifiedRelease {
  /** Metadata of the release. */
  readonly release: Release;
  /** Checks that it passed. */
  readonly report: ReleaseReport;
  /** Path of the compressed file in the store. */
  readonly path: string;
}

/** A frame of a release, or a lazy frame of it. */
export type HistoryFrame = DataFrame | LazyDataFrame;

type Verb = ReturnType<typeof beginVerb>;
type History = Loaded<HistoryFrame, VerifiedRelease>;

interface HistoryRequest {
  readonly options: HistoryOptions;
  readonly answer: AnswerHead | null;
  /** Fresh metadata of the same file, which replaces the stored one if they differ. */
  readonly offered?: Release;
}

// Longer than a transfer may take (section 8).
const LONGEST_FLIGHT_MS = 150_000;

/** Loads history releases for one connection; each is downloaded at most once. */
export class HistoryLoader {
  readonly #context: ConnectionContext;
  readonly #reader = new ReleaseRowsReader();
  readonly #busy = new Map<Factor, Promise<void>>();

  /** @param context State that the verbs of the connection share */
  constructor(context: ConnectionContext) {
    this.#context = context;
  }

  /**
   * Loads a release: from the store if it is there, otherwise by one download.
   *
   * @throws {ScoreframeError} Any error of `errors.ts`; a failure never becomes a frame
   */
  async load(given: string, wishes: HistoryOptions): Promise<History> {
    const factor = readFactor(given, "load the history");
    assertWhole(wishes);
    checkOptions("call history()", wishes, HISTORY_RULES);
    const options = this.#context.isOffline ? { ...wishes, offline: true } : wishes;
    const verb = beginVerb(this.#context, options);
    // Calls for one factor run in turn, so the second one finds the file that the first one stored.
    const previous = this.#busy.get(factor) ?? Promise.resolve();
    const loading = untilTurn(previous, verb, factor).then(() => this.#load(factor, options, verb));
    // A call cancelled while it waits keeps its place; this chain holds no rows in memory.
    this.#busy.set(factor, Promise.allSettled([previous, loading]).then(() => {}));
    return await loading;
  }

  /** Waits for writes in progress. */
  async settle(): Promise<void> {
    await Promise.all(this.#busy.values());
    await this.#reader.settle();
  }

  async #load(factor: Factor, options: HistoryOptions, verb: SendOptions): Promise<History> {
    const wanted = readWanted(factor, options);
    const { store } = this.#context;
    const { offline = false } = options;
    // Without a checksum it is the release that the service offers or, offline, the last received.
    const known = wanted === undefined && offline ? await store.listReleases(factor) : [];
    const kept = wanted === undefined ? known.at(-1) : await findRelease(store, factor, wanted);
    if (kept) return await this.#fromStore(factor, kept, { options, answer: null });
    if (offline) {
      const refused = (await listRefused(store, factor)).findLast(({ stored }) =>
        stored.release.downloadSha256 === (wanted ?? stored.release.downloadSha256)
      );
      if (refused !== undefined) throw refusedBefore(factor, refused);
      throw notStored(factor, store.path, wanted);
    }
    const { release, answer } = await loadReleaseMetadata(this.#context, factor, verb);
    if (wanted !== undefined && release.downloadSha256 !== wanted) {
      throw notOffered(factor, wanted, release.downloadSha256);
    }
    const announced = { factor, release, sizeBytes: null };
    const stored = await findAnnounced(this.#context, announced);
    if (stored !== null) {
      return await this.#fromStore(factor, stored, { options, answer, offered: release });
    }
    const flight = {
      folder: store.path,
      question: `release ${factor} ${release.downloadSha256}`,
      maxWaitMs: Math.min(LONGEST_FLIGHT_MS, options.maxWaitMs ?? Infinity),
      signal: verb.signal,
    };
    return await withFlight(flight, async () => {
      const brought = await findAnnounced(this.#context, announced);
      return brought === null
        ? await this.#fromService(announced, verb, { options, answer })
        : await this.#fromStore(factor, brought, { options, answer, offered: release });
    });
  }

  async #fromStore(factor: Factor, found: StoredRelease, asked: HistoryRequest): Promise<History> {
    const { options, offered = found.release } = asked;
    const isCorrected = metadataId(offered) !== metadataId(found.release);
    const stored = isCorrected ? { ...found, release: offered } : found;
    const kept = { factor, stored };
    const layout = options.lazy === true ? "lazy" : options.tickers ?? "text";
    const derived = await this.#reader.fromDerived(kept, layout);
    if (derived !== null) return this.#toHistory(kept, derived, { ...asked, kind: "store" });
    const verified = await this.#verifyStored(kept, options, isCorrected);
    if (isCorrected) {
      const receivedAt = instantOf(this.#context.clock.now());
      await correctRelease(found, { release: offered, receivedAt });
    }
    const rows = await this.#keepRows(kept, verified, options);
    return this.#toHistory(kept, rows, { ...asked, kind: "store" });
  }

  async #verifyStored(
    { factor, stored }: KeptRelease,
    { signal, tickers = "text" }: HistoryOptions,
    isCorrected: boolean,
  ): Promise<VerifiedRows> {
    const { release, path, sizeBytes } = stored;
    const announced = { factor, release, sizeBytes };
    const read = await frameReader(tickers)({ path }, announced, { signal });
    const isDamaged = read.facts.sha256 !== release.downloadSha256;
    const advice = isDamaged
      ? `the stored file has changed since it was received; remove ${dirname(path)} and load ` +
        "again, which spends a download"
      : "the stored file is the one that the service announced, so loading it again changes " +
        (isCorrected
          ? "nothing; with downloadSha256 it is verified against the metadata that it came with"
          : "nothing");
    try {
      return await verify(read, announced, advice);
    } catch (error) {
      if (isCorrected) throw error;
      const cost = "no download was spent";
      throw await setReleaseAside(this.#context, { factor, stored }, { error, cost });
    }
  }

  async #fromService(
    announced: ReleaseOffer,
    verb: SendOptions,
    { options, answer }: HistoryRequest,
  ): Promise<History> {
    const { maxDownloads, progress = true, tickers = "text" } = options;
    const { factor } = announced;
    const receiving = {
      ...verb,
      progress,
      read: frameReader(tickers),
      ...(maxDownloads !== undefined && { maxDownloads }),
    };
    const received = await receiveRelease(this.#context, announced, receiving);
    if (!("file" in received)) {
      return await this.#fromStore(factor, received, { options, answer });
    }
    const { file, read, announced: now } = received;
    try {
      const advice = "the file is the one that the service announced and is kept in the store, " +
        `so verifying it again costs nothing; ${spent(file.answer)}`;
      // Rows are completed while the disk still writes, and returned once the store has the file.
      const [keeping, verifying] = await Promise.allSettled([
        file.keep(now),
        verify(read, { ...now, sizeBytes: file.sizeBytes }, advice),
      ]);
      if (keeping.status === "rejected") throw keeping.reason;
      const kept = { factor, stored: keeping.value };
      if (verifying.status === "rejected") {
        const failed = { error: verifying.reason, cost: spent(file.answer) };
        throw await setReleaseAside(this.#context, kept, failed);
      }
      await this.#compareWithEarlier(kept, verifying.value, options);
      const rows = await this.#keepRows(kept, verifying.value, options);
      return this.#toHistory(kept, rows, { options, answer: file.answer, kind: "service" });
    } finally {
      await file.discard();
    }
  }

  async #compareWithEarlier(kept: KeptRelease, { rows }: VerifiedRows, { signal }: HistoryOptions) {
    const { factor } = kept;
    const earlier = await findRestated(this.#context.store, kept);
    if (earlier === null) return;
    const asked = { options: signal === undefined ? {} : { signal }, answer: null };
    const before = await this.#fromStore(factor, earlier, asked)
      .then(({ data }) => isLazy(data) ? null : data, () => null);
    signal?.throwIfAborted();
    sayRestated(kept, earlier, before, rows);
  }

  async #keepRows(kept: KeptRelease, verified: VerifiedRows, options: HistoryOptions) {
    await this.#reader.keep(kept, verified, options.lazy === true);
    if (options.lazy !== true) return verified;
    const lazy = await this.#reader.fromDerived(kept, "lazy");
    if (lazy !== null) return lazy;
    throw new IntegrityError(
      `Cannot load the ${kept.factor} history lazily: expected the Parquet file beside ` +
        `${kept.stored.path} to be unchanged since it was written, got another one; check the disk`,
    );
  }

  async #toHistory(
    { factor, stored }: KeptRelease,
    { rows, report }: ReleaseRows,
    { options, answer, kind }: HistoryRequest & { readonly kind: "store" | "service" },
  ): Promise<History> {
    const { release, path, availableFrom } = stored;
    const synthetic = release.extra.synthetic === true || answer?.synthetic === true ||
      this.#context.store.info.synthetic;
    const source = sourceOf(kind === "store" || !answer ? "store" : answer.source, synthetic);
    const origin = { factor, release, receipt: { source, retrievedAt: availableFrom } };
    const data = isLazy(rows)
      ? withLazyProvenance(rows, origin, options.provenance)
      : await withReleaseProvenance(rows, origin, options.provenance);
    return { data, raw: { release, report, path }, response: answer && responseInfo(answer) };
  }
}

// The call's deadline includes the wait for another load of the factor; that of the connection bounds single requests.
async function untilTurn(previous: Promise<void>, verb: Verb, factor: Factor): Promise<void> {
  const { leftMs, deadlineMs } = verb.patience;
  if (leftMs === null) return await untilAborted(previous, verb.signal);
  const deadline = new Deadline(leftMs, verb.signal);
  try {
    await untilAborted(previous, deadline.signal);
  } catch (error) {
    if (!deadline.isOver) throw error;
    throw new TransportError(
      `Cannot load the ${factor} history: expected the whole call to end within deadlineMs ${deadlineMs}, got ` +
        "no end by then; another load of this history in this notebook has not ended, so nothing was sent; await that one first",
    );
  } finally {
    deadline.stop();
  }
}

// Verifies a parsed file and completes its frame.
async function verify(read: BuiltRelease, announced: ReleaseOffer, advice: string) {
  const report = assertReconciled(read, announced, advice);
  const built = await read.builder.finish(read.parser.columns.names);
  return { rows: built.rows, report, built };
}

function isLazy(frame: HistoryFrame): frame is LazyDataFrame {
  return "collect" in frame;
}

function readWanted(factor: Factor, { downloadSha256 }: HistoryOptions): string | undefined {
  const wanted = downloadSha256?.toLowerCase();
  if (wanted === undefined || isSha256(wanted)) return wanted;
  throw new RangeError(
    `Cannot load the ${factor} history: expected downloadSha256 to be 64 hexadecimal digits, got ` +
      describe(downloadSha256),
  );
}
