import type { DataFrame } from "nodejs-polars";
import { type Factor, parseFactor } from "../contract/factor.ts";
import { isSha256 } from "../contract/identifier.ts";
import { parseRelease, type Release } from "../contract/release.ts";
import { ContractError, IntegrityError, NotFoundError } from "../errors.ts";
import { sourceOf } from "../frame/origin.ts";
import type { Announced } from "../frame/reconcile.ts";
import { takeReleaseRows, withReleaseProvenance } from "../frame/release_frame.ts";
import type { ReleaseReport } from "../frame/release_report.ts";
import type { StoredRelease } from "../store/release_file.ts";
import type { AnswerHead, ExchangeOptions } from "../transport/exchange.ts";
import type { HistoryOptions } from "./history_options.ts";
import { assertReconciled, type ReadRelease, readRelease } from "./history_read.ts";
import type { Loaded } from "./load_promise.ts";
import { bodyJson, readAnswer } from "./read_answer.ts";
import { type ArrivedFile, downloadRelease, spent } from "./release_download.ts";
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

type History = Loaded<DataFrame, VerifiedRelease>;

interface Arrived {
  readonly stored: StoredRelease;
  readonly read: ReadRelease;
  readonly answer: AnswerHead;
}

interface Verified {
  readonly stored: StoredRelease;
  readonly read: ReadRelease;
  readonly report: ReleaseReport;
  readonly factor: Factor;
  readonly kind: "store" | "service";
}

/** Loads history releases for one connection: each is downloaded at most once, however often it is asked for. */
export class HistoryLoader {
  readonly #session: Session;
  readonly #busy = new Map<Factor, Promise<unknown>>();

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

  async #load(factor: Factor, options: HistoryOptions): Promise<History> {
    const verb = beginVerb(this.#session, options);
    verb.signal?.throwIfAborted();
    const wanted = options.downloadSha256?.toLowerCase();
    if (wanted !== undefined && !isSha256(wanted)) {
      throw new ContractError(
        `Cannot load the ${factor} history: downloadSha256 must be 64 hexadecimal digits, got "${wanted}"`,
      );
    }
    const kept = await this.#findStored(factor, wanted, options.offline === true);
    if (kept !== null) return await this.#fromStore(factor, kept, { options, answer: null });
    if (options.offline === true) throw notStored(factor, this.#session.store.path, wanted);
    const { release, answer } = await this.#readMetadata(factor, verb);
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

  async #readMetadata(
    factor: Factor,
    verb: ExchangeOptions,
  ): Promise<{ release: Release; answer: AnswerHead }> {
    const action = `load the metadata of the ${factor} history`;
    const answer = await this.#session.exchange.send({
      method: "GET",
      endpoint: "history",
      path: `/v1/scores/history?factor=${factor}`,
      accept: "application/json",
      action,
    }, verb);
    const context = { answer, action, redact: this.#session.redact };
    return { release: readAnswer(context, () => parseRelease(bodyJson(answer), factor)), answer };
  }

  async #fromStore(
    factor: Factor,
    stored: StoredRelease,
    context: { readonly options: HistoryOptions; readonly answer: AnswerHead | null },
  ): Promise<History> {
    const { release, path, sizeBytes } = stored;
    const announced = { factor, release, sizeBytes };
    const read = await readRelease({ path }, announced, context.options.signal);
    const isDamaged = read.facts.sha256 !== release.downloadSha256;
    const advice = isDamaged
      ? `the stored file is not what was received; remove ${path} and load again, which spends a download`
      : `the file in the store is what the service announced, so that loading it again changes nothing`;
    const report = assertReconciled(read, announced, advice);
    return await this.#toHistory({ stored, read, report, factor, kind: "store" }, context);
  }

  async #fromService(
    announced: Announced,
    verb: ExchangeOptions,
    options: HistoryOptions,
  ): Promise<History> {
    const { maxDownloads = 2, progress = true } = options;
    const { factor } = announced;
    const { stored, read, answer } = await this.#receive(
      announced,
      { ...verb, progress },
      maxDownloads,
    );
    const { release, sizeBytes } = stored;
    const advice = "the file is what the service announced and is kept in the store, " +
      `so that looking at it again costs nothing; ${spent(answer)}`;
    const report = assertReconciled(read, { factor, release, sizeBytes }, advice);
    const verified = { stored, read, report, factor, kind: "service" } as const;
    return await this.#toHistory(verified, { options, answer });
  }

  // The release can change between its metadata and its file (section 4.5): then the file is kept under the fresh
  // metadata if these announce it, and asked for again only if they announce yet another one.
  async #receive(
    announced: Announced,
    options: ExchangeOptions & Pick<HistoryOptions, "progress">,
    maxDownloads: number,
  ): Promise<Arrived> {
    const { factor, release } = announced;
    const file = await downloadRelease(this.#session, announced, options);
    try {
      const { read, answer } = file;
      if (read.facts.sha256 === release.downloadSha256) {
        return { stored: await file.keep(announced), read, answer };
      }
      const fresh = { ...announced, ...await this.#readMetadata(factor, options) };
      if (read.facts.sha256 === fresh.release.downloadSha256) {
        const stored = await file.keep(fresh);
        const again = { factor, release: stored.release, sizeBytes: stored.sizeBytes };
        return { stored, read: await readRelease({ path: stored.path }, again), answer };
      }
      const isChanged = fresh.release.downloadSha256 !== release.downloadSha256;
      if (!isChanged || maxDownloads <= 1) throw wrongFile(file, announced, fresh);
      await file.discard();
      return await this.#receive(fresh, options, maxDownloads - 1);
    } finally {
      await file.discard();
    }
  }

  async #toHistory(
    verified: Verified,
    { options, answer }: { readonly options: HistoryOptions; readonly answer: AnswerHead | null },
  ): Promise<History> {
    const { stored, read, report, factor, kind } = verified;
    const { release, path, availableFrom } = stored;
    const synthetic = release.extra.synthetic === true || answer?.synthetic === true ||
      this.#session.store.info.synthetic;
    const source = sourceOf(
      kind === "store" || answer === null ? "store" : answer.source,
      synthetic,
    );
    const rows = await takeReleaseRows(read.parser.columns, factor);
    const origin = { factor, release, receipt: { source, retrievedAt: availableFrom } };
    const data = withReleaseProvenance(rows, origin, options);
    return { data, raw: { release, report, path }, response: answer && responseInfo(answer) };
  }
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

function notStored(factor: Factor, path: string, wanted: string | undefined): NotFoundError {
  const what = wanted === undefined ? "a release" : `the release ${wanted}`;
  return new NotFoundError(
    `Cannot load the ${factor} history offline: ${what} is required in the store ${path}, it has ` +
      "none; load it once without offline",
    { status: 404, code: null, requestId: null, retryAtMs: null },
  );
}

function notOffered(factor: Factor, wanted: string, offered: string): NotFoundError {
  return new NotFoundError(
    `Cannot load the ${factor} history: the release ${wanted} is required, the store does not have ` +
      `it and the service now offers ${offered}; a service keeps no earlier release`,
    { status: 404, code: null, requestId: null, retryAtMs: null },
  );
}

function wrongFile(file: ArrivedFile, announced: Announced, fresh: Announced): IntegrityError {
  const { factor, release } = announced;
  const { sha256, sizeBytes } = file.read.facts;
  const isChanged = fresh.release.downloadSha256 !== release.downloadSha256;
  const what = isChanged
    ? `the service changed the release twice, and now announces ${fresh.release.downloadSha256}; ` +
      "allow one more with maxDownloads"
    : "the service still announces the same file, so that the bytes went wrong on the way; " +
      "another try spends one more download";
  return new IntegrityError(
    `Cannot load the ${factor} history: a file with the SHA-256 ${release.downloadSha256} is ` +
      `required, ${sizeBytes} bytes with ${sha256} arrived; ${what}; ${spent(file.answer)}, and ` +
      "nothing was kept",
  );
}
