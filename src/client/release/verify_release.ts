import { IntegrityError } from "../../base/errors.ts";
import { HistoryParser } from "../../frames/frame/release_file/history_parser.ts";
import type { PieceTaker } from "../../frames/frame/release_file/history_columns.ts";
import { ReleaseBuilder } from "../../frames/frame/release/release_builder.ts";
import type { TickerLayout } from "../../frames/frame/release/release_frame.ts";
import {
  reconcileFacts,
  type ReleaseOffer,
} from "../../frames/frame/release_file/reconcile_facts.ts";
import { describeStep } from "../../frames/frame/release_file/offence.ts";
import type { GzipSource } from "../../base/gzip/gunzip_parts.ts";
import { type CompressedFacts, inflateFile } from "../../base/gzip/inflate_file.ts";
import { ReleaseReport } from "./release_report.ts";

/** A release file read to its end. */
export interface ReadRelease {
  /** Facts from reading the compressed file. */
  readonly facts: CompressedFacts;
  /** The parsed file. */
  readonly parser: HistoryParser;
}

/** A release file read to its end, whose rows are becoming a frame. */
export interface BuiltRelease extends ReadRelease {
  /** Builder that has the rows. */
  readonly builder: ReleaseBuilder;
}

/** Options of reading a release file. */
export interface ReadOptions {
  /** Cancels the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the rows; otherwise they are kept with the parser. */
  readonly taker?: PieceTaker | undefined;
}

// The longest line takes 55 bytes.
const MAX_ROW_BYTES = 64;
const MAX_INFLATED_BYTES = 8 * 1024 ** 3;

/** Reads a compressed file once. */
export type ReleaseReader<Read extends ReadRelease> = (
  source: GzipSource,
  announced: ReleaseOffer,
  options?: Pick<ReadOptions, "signal">,
) => Promise<Read>;

/** Reads a compressed file once, and hashes, inflates, parses and checks it on the way. */
export async function readReleaseFile(
  source: GzipSource,
  announced: ReleaseOffer,
  { signal, taker }: ReadOptions = {},
): Promise<ReadRelease> {
  const { rows } = announced.release;
  const parser = new HistoryParser(announced.factor, { rows, taker });
  const facts = await inflateFile(source, (part) => parser.push(part), {
    maxInflatedBytes: Math.min(MAX_INFLATED_BYTES, ((rows ?? Infinity) + 2) * MAX_ROW_BYTES),
    signal,
  });
  parser.finish();
  return { facts, parser };
}

/** Reader that reads a file as {@link readReleaseFile} does, and builds its frame on the way. */
export function frameReader(tickers: TickerLayout): ReleaseReader<BuiltRelease> {
  return async (source, announced, { signal } = {}) => {
    const builder = new ReleaseBuilder(announced.factor, tickers);
    const read = await readReleaseFile(source, announced, { signal, taker: builder });
    return { ...read, builder };
  };
}

/**
 * Verifies a file against its metadata.
 *
 * @param read The file
 * @param announced Metadata to compare with
 * @param advice Remedy if it is refused
 * @returns Report of all checks
 * @throws {IntegrityError} If a check failed; its cause is the report
 */
export function assertReconciled(
  read: ReadRelease,
  announced: ReleaseOffer,
  advice: string,
): ReleaseReport {
  const { factor, release: { downloadSha256 } } = announced;
  const checks = reconcileFacts(announced, read.facts, read.parser);
  const report = new ReleaseReport({ factor, downloadSha256 }, checks);
  if (report.passed) return report;
  throw releaseRefusal(report, advice);
}

/** Error for a release that failed a check; its cause is the report. */
export function releaseRefusal(report: ReleaseReport, advice: string): IntegrityError {
  const { factor, downloadSha256, checks, failed } = report;
  const lines = failed.flatMap(describeStep);
  return new IntegrityError(
    `Cannot load the ${factor} history: expected every check of the release to pass, got ` +
      `${failed.length} of ${checks.length} that failed for ${downloadSha256}; ${advice}\n` +
      lines.join("\n"),
    { cause: report },
  );
}
