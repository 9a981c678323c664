import { Buffer } from "node:buffer";
import { deflateRawSync, deflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Release } from "../../../src/base/contract/release.ts";
import { IntegrityError } from "../../../src/base/errors.ts";
import { ReleaseReport } from "../../../src/client/release/release_report.ts";
import { GOOD_LINES, gzipLines, gzipText, offerRelease } from "./_release_files.ts";
import { type Service, startService } from "../_service.ts";

/** A wrong file and the reason for which it must be refused. */
interface WrongFile {
  readonly bytes: Uint8Array;
  readonly metadata?: Partial<Release> | undefined;
  /** Names of all checks that must fail, in the order of the report. */
  readonly fails: readonly string[];
  /** Number of the first offending line, if a line offends. */
  readonly line?: number;
  /** Part of the message. */
  readonly says?: string | undefined;
}

const GZIP = "gzip stream";
const GOOD = gzipLines(GOOD_LINES);
const TRAILER = 8;

const withLine = (at: number, line: string) => gzipLines(GOOD_LINES.with(at, line));
const inserted = (at: number, line: string) => gzipLines(GOOD_LINES.toSpliced(at, 0, line));
const changed = (at: number, change: (byte: number) => number) =>
  GOOD.map((byte, i) => i === at ? change(byte) : byte);
/** A broken row is not counted: rows and scored rows are one short as well. */
const SHORT = ["rows", "scored rows"];

/** A file that is refused before its lines are read. */
const noGzip = (bytes: Uint8Array, says?: string, metadata?: Partial<Release>): WrongFile => ({
  bytes,
  fails: [GZIP],
  says,
  metadata,
});
/** The header, or a row that fails a check and is not counted. */
const badHeader = (line: string): WrongFile => ({
  bytes: withLine(0, line),
  fails: ["header"],
  line: 1,
});
const badRow = (at: number, line: string, check: string, says?: string): WrongFile => ({
  bytes: withLine(at, line),
  fails: [check, ...SHORT],
  line: at + 1,
  says,
});
/** The good file beside other metadata. */
const announced = (metadata: Partial<Release>, check: string, says?: string): WrongFile => ({
  bytes: GOOD,
  metadata,
  fails: [check],
  says,
});

const COMPRESSION: Record<string, WrongFile> = {
  "an empty file": noGzip(new Uint8Array(), "got an empty file"),
  "a page of HTML": noGzip(Buffer.from("<html>503</html>"), "a file that is not gzip"),
  "the CSV without compression": noGzip(
    Buffer.from(GOOD_LINES.join("\n")),
    "a file that is not gzip",
  ),
  "a zlib stream": noGzip(deflateSync("date"), "a file that is not gzip"),
  "a raw deflate stream": noGzip(deflateRawSync("date"), "a file that is not gzip"),
  "a Zstandard frame": noGzip(
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]),
    "a file that is not gzip",
  ),
  "a file cut in the middle": noGzip(GOOD.subarray(0, GOOD.length >> 1), "cut off"),
  "a file without its trailer": noGzip(GOOD.subarray(0, GOOD.length - TRAILER), "cut off"),
  "a file without its last byte": noGzip(GOOD.subarray(0, -1), "cut off"),
  "a wrong CRC": noGzip(changed(GOOD.length - TRAILER, (byte) => byte ^ 1), "CRC"),
  "a wrong length in the trailer": noGzip(changed(GOOD.length - 4, (byte) => byte ^ 1), "length"),
  "an unknown compression method": noGzip(changed(2, () => 7), "another compression method"),
  "unknown header flags": noGzip(changed(3, () => 0xe0), "unknown flags"),
  "a flipped bit in the compressed data": noGzip(changed(12, (byte) => byte ^ 0x40)),
  "text after the last member": noGzip(
    Buffer.concat([GOOD, Buffer.from("more")]),
    "something other than zeros after",
  ),
  "a second member that is cut off": noGzip(Buffer.concat([GOOD, GOOD.subarray(0, 15)]), "cut off"),
  "a bomb": noGzip(gzipText(" ".repeat(1_000_000)), "inflates to more than 384 bytes"),
};

const LINES: Record<string, WrongFile> = {
  "no content at all": {
    bytes: gzipText(""),
    fails: [
      "header",
      "rows",
      "scored rows",
      "missing rows",
      "distinct sessions",
      "distinct tickers",
      "first session",
      "last session",
    ],
    line: 0,
  },
  "the header of the other factor": badHeader("date,ticker,ecqdi_score"),
  "columns in another order": badHeader("ticker,date,ecpnd_score"),
  "a column more in the header": badHeader("date,ticker,ecpnd_score,x"),
  "a header with blanks": badHeader("date, ticker, ecpnd_score"),
  "a header in capitals": badHeader("Date,Ticker,ECPND_score"),
  "no header": { bytes: gzipLines(GOOD_LINES.slice(1)), fails: ["header", ...SHORT], line: 1 },
  "a repeated header": { bytes: inserted(3, GOOD_LINES[0]!), fails: ["dates"], line: 4 },
  "a last row cut within its score": {
    bytes: gzipText(`${GOOD_LINES.slice(0, 4).join("\n")}\n2026-08-14,NA,0.`),
    fails: ["scores", ...SHORT],
    line: 5,
  },
  "an empty line": { bytes: inserted(3, ""), fails: ["fields"], line: 4 },
  "an empty line at the end": { bytes: inserted(5, ""), fails: ["fields"], line: 6 },
  "a field less": badRow(1, "2026-08-13,A", "fields"),
  "a field more": badRow(3, "2026-08-14,A,0.25,", "fields"),
  "semicolons": badRow(3, "2026-08-14;A;0.25", "fields"),
  "a line without an end": noGzip(
    withLine(3, `2026-08-14,A,0.${"1".repeat(5000)}`),
    "inflates to more than",
    { rows: 4 },
  ),
  "a very long line": {
    bytes: withLine(3, "x".repeat(400)),
    metadata: { rows: 10 },
    fails: ["fields", "rows", "scored rows"],
    line: 4,
  },
  "a quoted ticker": {
    bytes: withLine(2, '2026-08-13,"NA",'),
    fails: ["tickers", "rows", "missing rows"],
    line: 3,
  },
  "a NUL byte": badRow(1, "2026-08-13,\0,0.5", "tickers"),
  "an American date": badRow(1, "08/13/2026,A,0.5", "dates"),
  "a date without dashes": badRow(1, "20260813,A,0.5", "dates"),
  "a date with a time": badRow(1, "2026-08-13T00:00:00Z,A,0.5", "dates"),
  "a day that does not exist": badRow(3, "2026-02-30,A,0.25", "dates", "a date that exists"),
  "February 29 of a common year": badRow(3, "2026-02-29,A,0.25", "dates"),
  "a month that does not exist": badRow(3, "2026-13-01,A,0.25", "dates"),
  "no date": badRow(1, ",A,0.5", "dates"),
  "a blank before the date": badRow(1, " 2026-08-13,A,0.5", "dates"),
  "a ticker in small letters": badRow(1, "2026-08-13,a,0.5", "tickers"),
  "no ticker": badRow(1, "2026-08-13,,0.5", "tickers"),
  "a ticker of 17 characters": badRow(1, `2026-08-13,${"A".repeat(17)},0.5`, "tickers"),
  "a ticker with a blank": badRow(1, "2026-08-13,A ,0.5", "tickers"),
  "a ticker outside of ASCII": badRow(1, "2026-08-13,\xc3\x84,0.5", "tickers"),
  "an injected spreadsheet formula": badRow(1, "2026-08-13,=A1,0.5", "tickers"),
  "the same row twice": { bytes: inserted(2, GOOD_LINES[1]!), fails: ["duplicates"], line: 3 },
  "a ticker twice in a session with another score": {
    bytes: inserted(3, "2026-08-13,A,0.75"),
    fails: ["duplicates"],
    line: 4,
  },
};

const BAD_SCORES =
  "NaN|nan|inf|-Infinity|null|NA|-0.1|-0|+0.5|.5|0.|1.0000001|2|1e400|0x1|0 5|0.5 | 0.5|0.5e|1_0|００"
    .split("|");

const COUNTS: Record<string, WrongFile> = {
  "a row more than announced": announced({ rows: 3 }, "rows"),
  "a row less than announced": announced({ rows: 5 }, "rows"),
  "a number of rows that no memory holds": announced(
    { rows: 2 ** 45 },
    "rows",
    "expected 35,184,372,088,832, got 4",
  ),
  "other scored rows": announced({ scoredRows: 4 }, "scored rows"),
  "other missing rows": announced({ missingRows: 0 }, "missing rows"),
  "other sessions": announced({ sessions: 3 }, "distinct sessions"),
  "other tickers": announced({ tickers: 1 }, "distinct tickers"),
  "another first session": announced({ firstSession: "2026-08-12" }, "first session"),
  "another last session": announced({ lastSession: "2026-08-17" }, "last session"),
  "a file of half of the rows": {
    bytes: gzipLines(GOOD_LINES.slice(0, 3)),
    fails: ["rows", "scored rows", "distinct sessions", "last session"],
  },
  "two members that repeat the file": {
    bytes: Buffer.concat([GOOD, GOOD]),
    fails: ["dates", "rows", "scored rows", "missing rows"],
    line: 6,
  },
};

let service: Service;
beforeEach(async () => {
  service = await startService({ withoutReleases: true });
});
afterEach(() => service.close());

async function refusalOf({ bytes, metadata = {} }: WrongFile): Promise<IntegrityError> {
  await offerRelease(service.fixture.store, bytes, { metadata });
  const api = await service.connect();
  const error = await api.history("ecpnd").then(() => null, (error: unknown) => error);
  expect(error).toBeInstanceOf(IntegrityError);
  // The bytes are those that the service announced: asking the store again costs no download.
  const again = await api.history("ecpnd", { offline: true }).then(() => null, (error) => error);
  expect(again).toBeInstanceOf(IntegrityError);
  return error as IntegrityError;
}

function reportOf(error: IntegrityError): ReleaseReport {
  expect(error.cause).toBeInstanceOf(ReleaseReport);
  return error.cause as ReleaseReport;
}

describe("history() refuses", () => {
  for (const [name, wrong] of Object.entries({ ...COMPRESSION, ...LINES, ...COUNTS })) {
    test(name, async () => {
      const error = await refusalOf(wrong);
      const report = reportOf(error);
      const { failed } = report;
      expect(failed.map((check) => check.name)).toEqual(wrong.fails);
      if (wrong.line !== undefined) expect(failed[0]!.lines[0]!.line).toBe(wrong.line);
      if (wrong.says !== undefined) expect(error.message).toContain(wrong.says);
    });
  }

  for (const score of BAD_SCORES) {
    test(`the score ${JSON.stringify(score)}`, async () => {
      const error = await refusalOf({ bytes: withLine(3, `2026-08-14,A,${score}`), fails: [] });
      const { failed } = reportOf(error);
      expect(failed.map((check) => check.name)).toEqual(["scores", "rows", "scored rows"]);
      expect(failed[0]!.lines[0]!.line).toBe(4);
    });
  }
});

const UNUSUAL: Record<string, { bytes: Uint8Array; metadata?: Partial<Release>; says: string }> = {
  "rows by date, descending": {
    bytes: gzipLines([GOOD_LINES[0]!, ...GOOD_LINES.slice(3), ...GOOD_LINES.slice(1, 3)]),
    says: "order: by date, descending",
  },
  "rows in no order": {
    bytes: gzipLines([0, 3, 1, 4, 2].map((i) => GOOD_LINES[i]!)),
    says: "order: in no order",
  },
  "a Saturday": {
    bytes: gzipLines(GOOD_LINES.map((line) => line.replace("2026-08-14", "2026-08-15"))),
    metadata: { lastSession: "2026-08-15" },
    says: "dates: valid, 1 on a weekend",
  },
  "a byte order mark": {
    bytes: withLine(0, "\xef\xbb\xbfdate,ticker,ecpnd_score"),
    says: "header: as expected for this factor, after a byte order mark",
  },
  "no line end after the last row": {
    bytes: gzipText(GOOD_LINES.join("\n")),
    says: "last line: without a line ending",
  },
};

describe("history() accepts, and says in its report", () => {
  for (const [name, { bytes, metadata = {}, says }] of Object.entries(UNUSUAL)) {
    test(name, async () => {
      await offerRelease(service.fixture.store, bytes, { metadata });
      const api = await service.connect();
      const { data, raw } = await api.history("ecpnd").withResponse();
      expect(data.height).toBe(4);
      expect(data.getColumn("ecpnd_score").toArray().toSorted()).toEqual([0.25, 0.5, 1, null]);
      expect(String(raw.report)).toContain(says);
    });
  }

  test("rows in no order, but not one of them twice", async () => {
    const lines = [0, 3, 1, 4, 3].map((i) => GOOD_LINES[i]!);
    const error = await refusalOf({ bytes: gzipLines(lines), fails: [] });
    const { failed } = reportOf(error);
    expect(failed.map((check) => check.name)).toContain("duplicates");
    expect(failed[0]!.lines[0]!.line).toBe(5);
  });
});
