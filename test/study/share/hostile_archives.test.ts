import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IntegrityError } from "../../../src/base/errors.ts";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { readZipDirectory, readZipEntry } from "../../../src/base/read_zip.ts";
import { startStudyService, type StudyService } from "../_study.ts";
import {
  descriptorOf,
  endRecord,
  zip64Record,
  type ZipFields,
  zipOf,
  type ZipPart,
} from "./_zip.ts";

type Files = Record<string, string | Uint8Array>;

const LOCK = "study.lock.json";
const MANIFEST = "manifest-sha256.txt";
const CRATE = "ro-crate-metadata.json";
const ZEROS = new Uint8Array(11_000_000);

let service: StudyService;
let home: string;
let files: Files;
let other: Files;
let whole: Buffer;

beforeAll(async () => {
  service = await startStudyService();
  home = await service.makeFolder();
  files = await exportOf("ecpnd");
  other = await exportOf("ecqdi");
  whole = zip(files);
});
afterAll(() => service.close());

async function exportOf(factor: "ecpnd" | "ecqdi"): Promise<Files> {
  const folder = join(await service.makeFolder(), factor);
  const study = await service.open(folder);
  await study.scores(factor);
  await study.close();
  await writeFile(join(folder, "a.ipynb"), '{"cells":[]}');
  const path = `${folder}.zip`;
  await exportStudy(folder, path, { withoutData: false, name: "momentum" });
  const archive = await readFile(path);
  const bytes = {
    sizeBytes: archive.length,
    read: (start: number, count: number) => Promise.resolve(archive.subarray(start, start + count)),
  };
  const found: Files = {};
  for (const entry of await readZipDirectory(bytes)) {
    found[entry.name] = Buffer.concat(await Array.fromAsync(readZipEntry(bytes, entry)));
  }
  return found;
}

const partsOf = (content: Files): ZipPart[] =>
  Object.entries(content).map(([name, content]) => ({ name, content }));

const zip = (content: Files) => zipOf(partsOf(content));

const text = (name: string, content = files) => Buffer.from(content[name] as string).toString();

/** The files with a list of checksums that fits all of them, as whoever makes an archive can write. */
function listed(content: Files, more = ""): Files {
  const names = Object.keys(content).filter((name) => name !== MANIFEST).sort();
  const hashOf = (name: string) => createHash("sha256").update(content[name]!).digest("hex");
  const lines = names.map((name) => `${hashOf(name)}  ${name}\n`);
  return { ...content, [MANIFEST]: lines.join("") + more };
}

/** An archive with one more file, which its list of checksums knows. */
const named = (name: string) => () => zip(listed({ ...files, [name]: "x" }));

/** An archive with one more entry, which its list of checksums does not know. */
const added = (part: Partial<ZipPart>) => () =>
  zipOf([...partsOf(files), { name: "x.txt", content: "x", ...part }]);

/** An archive of which one entry is written in another way. */
const changed = (name: string, change: Partial<ZipPart>) => () =>
  zipOf(partsOf(files).map((part) => part.name === name ? { ...part, ...change } : part));

const local = (fields: ZipFields) => changed("a.ipynb", { local: fields });
const both = (fields: ZipFields) => changed("a.ipynb", { both: fields });

const edited = (name: string, change: (text: string) => string) => () =>
  zip(listed({ ...files, [name]: change(text(name)) }));

/** An archive with files that its list of checksums does not know, or with a list that names one more. */
const beside = (more: Files) => () => zip({ ...files, ...more });
const alsoListed = (name: string) => () => zip(listed(files, `${"0".repeat(64)}  ${name}\n`));

/** An archive with another end, and one whose parts are others. */
const ended = (end: Parameters<typeof zipOf>[1]) => () => zipOf(partsOf(files), end);
const ofParts = (change: (parts: ZipPart[]) => ZipPart[]) => () => zipOf(change(partsOf(files)));

const lockOf = (from: string | RegExp, to: string) =>
  edited(LOCK, (lock) => lock.replace(from, to));

const withMany = (length: number, part: Partial<ZipPart>) =>
  ofParts((parts) => [
    ...parts,
    ...Array.from({ length }, (_, i) => ({ name: `${i}.txt`, content: "x", ...part })),
  ]);

const cut = (share: number) => () => whole.subarray(0, Math.floor(whole.length * share));

const NAME =
  /outside of the folder, or with a name that some systems do not allow.*nothing was written/;
const TWICE = /are equal or differ only in case.*nothing was written/;
const NO_ZIP = "expected a complete zip, got a truncated file or none";
const DIRECTORY = "expected its directory as the archive describes it";
const NOTEBOOK = "expected a.ipynb as the archive describes it";
const LINK = "a link or a device";
const LARGE = "got one that would expand to";
const UNLISTED = `expected ${MANIFEST} in it`;
const REST = "expected nothing but its files";
const LIES = /expected (nothing but its files, got|a\.ipynb as the archive describes it)/;

type Hostile = readonly [archive: () => Uint8Array, words: RegExp | string];
type Archives = Readonly<Record<string, Hostile>>;

const NAMES: Archives = {
  "a name that goes up": [named("../evil.txt"), NAME],
  "a name that goes down and up": [named("store/../../evil.txt"), NAME],
  "a name that goes up and comes back": [named("../momentum/evil.txt"), NAME],
  "an absolute name": [named("/tmp/evil.txt"), NAME],
  "the name of a share": [named("//server/share/evil.txt"), NAME],
  "a drive": [named("C:/evil.txt"), NAME],
  "a drive without a slash": [named("C:evil.txt"), NAME],
  "backslashes that go up": [named("..\\..\\evil.txt"), NAME],
  "a stream beside a file": [named("study.lock.json:evil"), NAME],
  "a NUL in a name": [named("a.ipynb\u0000.exe"), NAME],
  "a line end in a name": [added({ name: "a\nb.txt" }), NAME],
  "an escape of the terminal in a name": [named("a\u001b[2Jb.txt"), NAME],
  "a control character of the upper half in a name": [named("a\u009b2Jb.txt"), NAME],
  "a name that turns its direction": [named("a\u202eypi.txt"), NAME],
  "a lock with a character that nobody sees": [named("study.lock\u200b.json"), NAME],
  "a soft hyphen in the name of the lock": [named("study\u00ad.lock.json"), NAME],
  "a mark of byte order before a name": [named("\ufeffstudy.lock.json"), NAME],
  "a line separator in a name": [named("a\u2028b.txt"), NAME],
  "a tag character in a name": [named("a\u{e0041}.txt"), NAME],
  "a device of Windows": [named("store/NUL.txt"), NAME],
  "a device with a superscript": [named("com¹.txt"), NAME],
  "a dot at the end of a name": [named("study.lock.json."), NAME],
  "a space at the end of a folder": [named("store /x"), NAME],
  "an empty part": [named("store//x"), NAME],
  "an empty name": [added({ name: "" }), NAME],
  "a pattern as a name": [named("*.ipynb"), NAME],
  "a part of 256 bytes": [named(`${"a".repeat(256)}`), NAME],
  "a name of 60,000 characters": [named("a/".repeat(30_000) + "b"), NAME],
  "a hidden file": [named(".bashrc"), "got a hidden name"],
  "a hidden file of two dots": [named("..bashrc"), "got a hidden name"],
  "a repository with a hook": [named(".git/hooks/post-checkout"), "got a hidden name"],
  "a name that is not UTF-8": [
    added({ name: Uint8Array.of(0xff, 0x61) }),
    "a name that is not UTF-8",
  ],
  "a lock in another case": [named("Study.lock.json"), TWICE],
  "a lock with a long s": [named("ſtudy.lock.json"), TWICE],
  "two forms of one letter": [
    () => zip(listed({ ...files, "é.txt": "a", "e\u0301.txt": "b" })),
    TWICE,
  ],
  "a folder in another case": [named("STORE/x"), "got names that differ only in case"],
  "a file in place of a folder": [named("store"), "got a file and a folder with the same name"],
  "a folder in place of a file": [
    added({ name: "a.ipynb/", content: "", both: { mode: 0o040755 } }),
    "a file and a folder with the same name",
  ],
};

const KINDS: Archives = {
  "a link": [added({ both: { mode: 0o120777 }, content: "/etc/passwd" }), LINK],
  "a link in place of the lock": [changed(LOCK, { both: { mode: 0o120777 } }), LINK],
  "a link that another system wrote": [added({ both: { mode: 0o120777, system: 19 } }), LINK],
  "a pipe": [added({ both: { mode: 0o010644 } }), LINK],
  "a socket": [added({ both: { mode: 0o140644 } }), LINK],
  "a device of characters": [added({ both: { mode: 0o020644 } }), LINK],
  "a device of blocks": [added({ both: { mode: 0o060644 } }), LINK],
  "a file that says that it is a folder": [added({ both: { mode: 0o040755 } }), LINK],
  "a folder that says that it is a link": [
    added({ name: "x/", content: "", both: { mode: 0o120777 } }),
    LINK,
  ],
  "a folder with content": [
    added({ name: "x/", both: { mode: 0o040755 } }),
    "a folder with content",
  ],
  "encrypted content": [both({ flags: 0x801 }), "got encrypted content"],
  "strong encryption": [both({ flags: 0x841 }), "got encrypted content"],
  "a directory that is encrypted": [both({ flags: 0x2800 }), "got encrypted content"],
  "content that is a patch": [both({ flags: 0x820 }), "got encrypted content"],
  "a method of 1989": [both({ method: 6 }), "an unknown method"],
  "LZMA": [both({ method: 14 }), "an unknown method"],
  "a method that is none": [both({ method: 0xffff }), "an unknown method"],
};

const HEADERS: Archives = {
  "another name before the content": [local({ name: "b.ipynb" }), NOTEBOOK],
  "a name that goes up before the content": [local({ name: "../evil" }), NOTEBOOK],
  "another method before the content": [local({ method: 0 }), NOTEBOOK],
  "another size before the content": [local({ size: 5 }), NOTEBOOK],
  "another packed size before the content": [local({ packed: 5 }), NOTEBOOK],
  "another CRC before the content": [local({ crc: 5 }), NOTEBOOK],
  "encryption that the directory conceals": [local({ flags: 0x801 }), NOTEBOOK],
  "a header that conceals its descriptor": [
    changed("a.ipynb", { central: { flags: 0x808 }, after: descriptorOf('{"cells":[]}') }),
    NOTEBOOK,
  ],
  "a descriptor that is missing": [both({ flags: 0x808 }), NOTEBOOK],
  ...Object.fromEntries((["crc", "packed", "size"] as const).map((field): [string, Hostile] => [
    `a descriptor with another ${field}`,
    [
      changed("a.ipynb", {
        both: { flags: 0x808 },
        local: { crc: 0, packed: 0, size: 0 },
        after: descriptorOf('{"cells":[]}', { [field]: 5 }),
      }),
      NOTEBOOK,
    ],
  ])),
  "another CRC": [both({ crc: 5 }), NOTEBOOK],
  "a size that is too small": [both({ size: 5 }), NOTEBOOK],
  "a size that is too large": [both({ size: 500 }), NOTEBOOK],
  "a packed size that is too small": [both({ packed: 5 }), LIES],
  "a packed size that is too large": [
    both({ packed: 500 }),
    /expected \S+ as the archive describes it/,
  ],
  "a size of 4 GB": [both({ size: 0xffff_ffff }), LARGE],
  "a packed size of 4 GB": [both({ packed: 0xffff_ffff }), "got one whose entries share"],
  "a place beyond the end": [changed("a.ipynb", { central: { offset: 0x7fff_ffff } }), LIES],
  "a place in the middle of another entry": [changed("a.ipynb", { central: { offset: 50 } }), LIES],
  "bytes after what is packed": [changed("a.ipynb", { trailing: Buffer.from("hidden") }), NOTEBOOK],
  "content that is not packed as its method says": [both({ method: 0 }), NOTEBOOK],
};

const PLACES: Archives = {
  "one entry twice": [ofParts((parts) => [...parts, { name: LOCK, content: "{}" }]), TWICE],
  "two locks, the first one false": [
    ofParts((parts) => [{ name: LOCK, content: "{}" }, ...parts]),
    TWICE,
  ],
  "two lists of checksums": [
    ofParts((parts) => [...parts, { name: MANIFEST, content: "" }]),
    TWICE,
  ],
  "an entry inside of another one": [overlapping, "expected outer.txt as the archive describes it"],
  "bytes before the first entry": [
    ofParts(([first, ...rest]) => [{ ...first!, before: Buffer.from("#!/bin/sh\n") }, ...rest]),
    REST,
  ],
  "bytes between two entries": [changed("a.ipynb", { before: Buffer.from("hidden") }), REST],
  "an entry that the directory conceals": [
    changed("a.ipynb", { before: zipOf([{ name: "evil.txt", content: "x" }]).subarray(0, 41) }),
    REST,
  ],
  "bytes after the last entry": [
    ofParts((parts) => parts.with(-1, { ...parts.at(-1)!, after: Buffer.from("hidden") })),
    REST,
  ],
  "bytes before all of it": [() => Buffer.concat([Buffer.from("MZ"), whole]), DIRECTORY],
  "bytes after the directory": [ended({ between: () => Buffer.from("hidden") }), DIRECTORY],
  "bytes after the end": [ended({ after: Buffer.from("hidden") }), NO_ZIP],
  "an archive after the end": [() => Buffer.concat([whole, zip(other)]), DIRECTORY],
  "a comment with another end": [
    ended({ comment: endRecord({}) }),
    /expected its directory|a complete zip/,
  ],
  "a comment with another archive": [
    () => zipOf(partsOf(files), { comment: zip(listed({ [LOCK]: "{}" })) }),
    DIRECTORY,
  ],
  "a comment with an end that another reader takes": [
    ended({ comment: Buffer.concat([endRecord({}), Buffer.from("x")]) }),
    DIRECTORY,
  ],
  "a count that is too small": [ended({ count: 2 }), DIRECTORY],
  "a count that is too large": [ended({ count: 200 }), DIRECTORY],
  "two counts": [ended({ total: 2 }), DIRECTORY],
  "a directory of another length": [ended({ size: 46 }), DIRECTORY],
  "a directory at another place": [ended({ start: 0 }), DIRECTORY],
  "a directory beyond the end": [ended({ start: 0x7fff_ffff }), DIRECTORY],
  "one of several disks": [ended({ disk: 1 }), DIRECTORY],
  "a Zip64 with another directory": [
    ended({
      between: (at, size, start) => zip64Record({ count: 1, size: size - 1, start, at }),
    }),
    DIRECTORY,
  ],
  "a Zip64 that says the same and is not needed": [
    ended({
      between: (at, size, start) => zip64Record({ count: 6, size, start, at }),
    }),
    DIRECTORY,
  ],
  "a Zip64 that counts wrongly": [
    ended({
      count: 0xffff,
      between: (at, size, start) => zip64Record({ count: 70_000, size, start, at }),
    }),
    DIRECTORY,
  ],
  "a Zip64 of 2⁶³ entries": [
    ended({
      count: 0xffff,
      between: (at, size, start) => zip64Record({ count: 2 ** 62, size, start, at }),
    }),
    DIRECTORY,
  ],
  "a Zip64 without its record": [ended({ count: 0xffff }), DIRECTORY],
  ...Object.fromEntries(
    [0, 0.0005, 0.01, 0.3, 0.6, 0.9, 0.99, 0.9999].map((share): [string, Hostile] => [
      `an archive of which ${share * 100}% arrived`,
      [cut(share), NO_ZIP],
    ]),
  ),
  "a hole of zeros": [
    () => Buffer.from(whole).fill(0, 200, 400),
    /expected \S+ as the archive describes it/,
  ],
  "a text": [() => Buffer.from("no zip at all"), NO_ZIP],
  "a gzipped tar": [() => Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), NO_ZIP],
  "an archive without files": [() => zipOf([]), UNLISTED],
};

const BOMBS: Archives = {
  "a file of zeros": [added({ content: ZEROS }), LARGE],
  "many files of zeros": [
    withMany(6, { content: ZEROS.subarray(2_000_000) }),
    LARGE,
  ],
  "many entries over one content": [
    withMany(30, { central: { offset: 0, packed: 1_000 } }),
    "got one whose entries share",
  ],
  "a file that says it is small": [
    changed("a.ipynb", { content: ZEROS, both: { size: 12 } }),
    NOTEBOOK,
  ],
  "an archive in an archive": [() => zip({ "momentum.zip": whole }), UNLISTED],
  "an archive beside the files": [
    () => zip({ ...files, "momentum.zip": whole }),
    "momentum.zip was added",
  ],
  "a study in a folder": [
    ofParts((parts) => parts.map((part) => ({ ...part, name: `momentum/${part.name}` }))),
    UNLISTED,
  ],
  "a lock of 600,001 lines that are one file each": [many, "600001 entries"],
  "an enormous crate": [() => zip(listed({ ...files, [CRATE]: ZEROS })), LARGE],
};

const CONTENTS: Archives = {
  "no list of checksums": [() => zip(without(MANIFEST)), UNLISTED],
  "an empty list of checksums": [beside({ [MANIFEST]: "" }), `${LOCK} was added`],
  "a list with another checksum": [
    () => zip({ ...files, [MANIFEST]: text(MANIFEST).replace(/^[0-9a-f]{8}/, "00000000") }),
    "was changed",
  ],
  "a list with checksums of MD5": [
    beside({ [MANIFEST]: `${"0".repeat(32)}  a.ipynb\n` }),
    "expected a checksum and a name in each line",
  ],
  "a list that is no text": [
    beside({ [MANIFEST]: Uint8Array.of(0xff, 0xfe, 0) }),
    "expected a checksum and a name in each line",
  ],
  "a list of files outside of the folder": [
    alsoListed("../../etc/passwd"),
    "../../etc/passwd is missing",
  ],
  "a list of a file that is not there": [alsoListed("b.ipynb"), "b.ipynb is missing"],
  "a list that names a file twice": [alsoListed("a.ipynb"), "expected each name once"],
  "a list that lists itself": [alsoListed(MANIFEST), "expected each name once"],
  "a list with an escape of the terminal": [alsoListed("\u001b[2J.txt"), "\\u001b[2J.txt"],
  "a list with a control character of the upper half": [
    alsoListed("\u009b2J.txt"),
    "\\u009b2J.txt",
  ],
  "files that the list does not know": [
    beside({ "evil.sh": "x", "more.sh": "x" }),
    "evil.sh was added, more.sh was added",
  ],
  "a file that is missing": [() => zip(without("a.ipynb")), "a.ipynb is missing"],
  "a file that was changed": [beside({ "a.ipynb": '{"cells":[1]}' }), "a.ipynb was changed"],
  "cells that were changed": [beside({ [CRATE]: "x" }), `${CRATE} was changed`],
  "no lock": [() => zip(listed(without(LOCK))), `expected ${LOCK} in it`],
  "a lock in a folder only": [
    () => zip(listed({ ...without(LOCK), [`store/${LOCK}`]: files[LOCK]! })),
    `expected ${LOCK} in it`,
  ],
  "a lock that is empty": [edited(LOCK, () => ""), `of its ${LOCK}`],
  "a lock that is no JSON": [edited(LOCK, (lock) => lock.slice(0, -3)), `of its ${LOCK}`],
  "a lock of another format": [
    lockOf('"format": 2', '"format": 4'),
    "expected 1, 2 or 3 as $.format",
  ],
  "a lock of another time": [
    lockOf('"as_of": "2026', '"as_of": "2027'),
    "expected as_of, service, world and synthetic",
  ],
  "a lock with other numbers": [
    lockOf('"scored":7', '"scored":8'),
    "the list sets as they were written",
  ],
  "a lock without its seals": [
    lockOf(/,\n"seal": \{[^}]*\}/, ""),
    "expected as_of, service, world and synthetic",
  ],
  "a lock of 20,000 levels": [
    lockOf('{"name":"fixture"}', "[".repeat(20_000) + "]".repeat(20_000)),
    `of its ${LOCK}`,
  ],
};

function without(name: string): Files {
  return Object.fromEntries(Object.entries(files).filter(([known]) => known !== name));
}

/** One entry lies in the stored content of another one: a reader from the beginning to the end never sees it. */
function overlapping(): Buffer {
  const inner: ZipPart = { name: "inner.txt", content: "inner", isStored: true };
  const bytes = zipOf([inner]).subarray(0, 30 + 9 + 5);
  const outer: ZipPart = { name: "outer.txt", content: bytes, isStored: true };
  const content = listed({ ...files, "inner.txt": "inner", "outer.txt": bytes });
  const rest = partsOf(content).filter(({ name }) => !/^(inner|outer)\.txt$/.test(String(name)));
  // The header of the inner one is written where the outer one has it, and an empty place after it.
  const archive = zipOf([outer, { ...inner, central: { offset: 30 + 9 } }, ...rest]);
  return archive;
}

/** More entries than twenty years of hourly checks come to; none has a content. */
function many(): Buffer {
  const count = 600_001;
  const entry = zipOf([{ name: "x", content: "", isStored: true }]);
  const record = entry.subarray(31, 31 + 47);
  const directory = Buffer.alloc(count * record.length, record);
  const start = 31;
  const at = start + directory.length;
  return Buffer.concat([
    entry.subarray(0, start),
    directory,
    zip64Record({ count, size: directory.length, start, at }),
    endRecord({ count: 0xffff, size: directory.length, start }),
  ]);
}

const listing = async (folder: string) =>
  (await readdir(folder, { recursive: true })).map(String).sort();

describe.each([
  ["names", NAMES],
  ["kinds and methods", KINDS],
  ["headers that lie", HEADERS],
  ["places and counts", PLACES],
  ["bombs and nested archives", BOMBS],
  ["contents", CONTENTS],
])("an archive of a stranger with %s", (_, cases) => {
  test.each(Object.entries(cases))("is refused and leaves nothing behind: %s", async (
    _,
    [archive, words],
  ) => {
    const place = join(home, crypto.randomUUID());
    await mkdir(join(place, "empty"), { recursive: true });
    await mkdir(join(place, "full"));
    await writeFile(join(place, "full", "mine.txt"), "mine");
    const path = join(place, "momentum.zip");
    const bytes = archive();
    await writeFile(path, bytes);
    const before = await listing(place);
    // The largest one takes a second each time.
    const targets = bytes.length > 20_000_000 ? ["new"] : ["new", "empty", "full"];
    for (const target of targets) {
      const error = await importStudy(path, join(place, target)).then(() => null, (error) => error);
      expect(await listing(place), target).toEqual(before);
      // A folder that holds something is refused whatever the archive is; which is said first does not matter.
      if (target === "full") expect(error).not.toBeNull();
      else expect(error).toBeInstanceOf(IntegrityError);
      if (target === "full") continue;
      expect(error.message).toMatch(/^Cannot (import|read) the archive: expected .*/s);
      expect(error.message).toMatch(words);
      expect(error.message.length).toBeLessThan(2_000);
      // deno-lint-ignore no-control-regex
      expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u200b\u2028]/);
    }
    expect(await readFile(join(place, "full", "mine.txt"), "utf8")).toBe("mine");
  });
});

test("what the archives are made of is imported where nothing was changed", async () => {
  const forms: readonly Uint8Array[] = [
    whole,
    zip(listed(files)),
    zipOf(partsOf(files).map((part) => ({ ...part, isStored: true }))),
    zipOf(partsOf(files), { comment: Buffer.from("from a colleague") }),
    zipOf([
      { name: "store/", content: "", isStored: true, both: { mode: 0o040755 } },
      ...partsOf(files),
    ]),
    zipOf(
      partsOf(files).map((part) => ({
        ...part,
        both: { flags: 0x808, extra: Uint8Array.of(0x55, 0x54, 1, 0, 0) },
        local: { crc: 0, packed: 0, size: 0 },
        after: descriptorOf(part.content).subarray(part.name === LOCK ? 4 : 0),
      })),
    ),
  ];
  for (const [i, archive] of forms.entries()) {
    const path = join(home, `whole-${i}.zip`);
    await writeFile(path, archive);
    const { files: names } = await importStudy(path, join(home, `whole-${i}`));
    expect(names).toEqual(expect.arrayContaining(Object.keys(files)));
  }
});

test("the table has at least 60 archives of its own kind each", () => {
  const all = [NAMES, KINDS, HEADERS, PLACES, BOMBS, CONTENTS].flatMap(Object.keys);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(60);
});
