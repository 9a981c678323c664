import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ScoreframeError } from "../../../src/base/errors.ts";
import { encodeLock, parseLock } from "../../../src/study/lock/lock_text.ts";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { signStudy } from "../../../src/study/sign/sign_study.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { pageVerdicts } from "../_format_page.ts";
import { withoutSeal } from "../../helpers/without_seal.ts";
import { editJson, forgeCheck, type Json } from "../_tampering.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const SET = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02";
const OLD_SET = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";
const NEWEST = /^2026-11-20T15-00-00/;
const LOCK = "study.lock.json";
// A line of the lock, and what the store has instead.
const LINE = /study\.lock\.json: expected \{"factor":.*\}, got .* from the store/;

let service: StudyService;
let home: string;
let pristine: string;
let other: string;
let numbers: readonly string[];

beforeAll(async () => {
  service = await startStudyService();
  home = await service.makeFolder();
  pristine = await recorded("momentum", ["ecpnd", "ecqdi"]);
  numbers = await replayOf(pristine);
  expect(numbers.filter((line) => line.startsWith("["))).toHaveLength(4);
  service.clock.ms += 1_000;
  other = await recorded("other", ["ecqdi", "ecpnd"]);
});
afterAll(() => service.close());

/** A study with a set, views, an absence, a release and an input, as its reader has it. */
async function recorded(name: string, [first, second]: ["ecpnd" | "ecqdi", "ecpnd" | "ecqdi"]) {
  const folder = join(home, `${name}-recorded`);
  const study = await service.open(folder);
  await study.scores(first);
  await study.panel(second, { at: ["2026-11-20T14:30:00Z"] });
  await study.publications(first, { from: "2026-11-20T08:00:00Z" });
  await study.history(first, { progress: false });
  await writeFile(join(folder, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,10\n");
  await study.input("prices.csv");
  await study.close();
  await writeFile(join(folder, "a.ipynb"), '{"cells":[]}');
  const path = join(home, `${name}.zip`);
  await exportStudy(folder, path, { withoutData: false, name });
  const imported = join(home, name);
  await importStudy(path, imported);
  await cp(join(folder, "prices.csv"), join(imported, "prices.csv"));
  return imported;
}

// Nothing: the numbers are those of the lock.
const HARMLESS = "";

type Edit = (folder: string) => Promise<unknown>;

const run = promisify(execFile);

const text = (path: string, change: (text: string) => string): Edit => async (folder) => {
  const before = await readFile(join(folder, path), "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(join(folder, path), after);
};

const lock = (change: (text: string) => string) => text(LOCK, change);

/** The lock with an edit, and with seals that fit it. */
const resealed = (change: (text: string) => string) =>
  lock((before) => {
    const after = change(before);
    expect(after).not.toBe(before);
    return encodeLock(parseLock(after).lock);
  });

const swap = (one: string, two: string): Edit => async (folder) => {
  await rename(join(folder, one), join(folder, "held"));
  await rename(join(folder, two), join(folder, one));
  await rename(join(folder, "held"), join(folder, two));
};

const replace = (path: string, by: (path: string) => Promise<unknown>): Edit => async (folder) => {
  await rm(join(folder, path), { recursive: true });
  await by(join(folder, path));
};

const check = (edit: (check: Json, file: Json) => void): Edit => (folder) =>
  forgeCheck(join(folder, "store/ecpnd"), NEWEST, edit);

const coverage = (of: Json) => of.coverage as Json;

async function releaseOf(folder: string): Promise<string> {
  const [sha256] = await readdir(join(folder, "store/ecpnd/releases"));
  return join(folder, "store/ecpnd/releases", sha256!);
}

const release = (edit: (release: Json, file: Json) => void): Edit => async (folder) =>
  await editJson(
    join(await releaseOf(folder), "release.json"),
    (file) => edit(file.release as Json, file),
  );

/** The rows of a release, with everything beside them that its folder needs to be one. */
const rows = (change: (csv: string) => string): Edit => async (folder) => {
  const path = join(await releaseOf(folder), "history.csv.gz");
  const csv = gunzipSync(await readFile(path)).toString();
  expect(change(csv)).not.toBe(csv);
  await writeFile(path, gzipSync(change(csv)));
};

const set = (id: string) => `store/ecpnd/sets/${id}.json`;
/** An edit of a set whose hash at the end is made for it. */
const setText = (change: (text: string) => string) =>
  text(set(SET), (before) => {
    const content = before.slice(0, before.lastIndexOf(',"sha256"'));
    const after = change(content);
    expect(after).not.toBe(content);
    return `${after},"sha256":"${createHash("sha256").update(after).digest("hex")}"}\n`;
  });
const checks = async (folder: string) =>
  (await readdir(join(folder, "store/ecpnd/checks"))).map((name) => `store/ecpnd/checks/${name}`);
const newest = async (folder: string) => (await checks(folder)).find((name) => /T15-/.test(name))!;
const oldest = async (folder: string) => (await checks(folder)).find((name) => /T12-/.test(name))!;
const VIEW = "store/ecpnd/views/2026-11-20T15-00-05.000Z.json";
const lineOf = (of: string, mark: string) =>
  of.split("\n").find((line) => line.startsWith(" {") && line.includes(mark))!;

/** The edit, and the words of the verification. */
type Manipulation = readonly [what: string, edit: Edit, words: RegExp | string];

const ROWS: readonly Manipulation[] = [
  [
    "a score",
    setText((it) => it.replace('"A","ecpnd_score":0.3}', '"A","ecpnd_score":0.9}')),
    LINE,
  ],
  ["the last digit of a score", setText((it) => it.replace("0.875", "0.8750000000000001")), LINE],
  [
    "a score of 0 that is missing",
    setText((it) => it.replace('"0012","ecpnd_score":0}', '"0012","ecpnd_score":null}')),
    LINE,
  ],
  [
    "a missing score that is 0",
    setText((it) => it.replace('"ecpnd_score":null', '"ecpnd_score":0')),
    LINE,
  ],
  ["a ticker", setText((it) => it.replace('"BRK.B"', '"BRK.A"')), LINE],
  [
    "two tickers that change places",
    setText((it) =>
      it.replace('"BF-B"', '"#"').replace('"BRK.B"', '"BF-B"').replace('"#"', '"BRK.B"')
    ),
    "the text is not in its canonical form",
  ],
  [
    "two scores that change places",
    setText((it) => it.replace("0.875", "#").replace("0.375", "0.875").replace("#", "0.375")),
    LINE,
  ],
  [
    "a row that was removed",
    setText((it) => it.replace('{"ticker":"NA","ecpnd_score":null},\n', "")),
    '"tickers":7',
  ],
  [
    "a row that was added",
    setText((it) =>
      it.replace('{"ticker":"NA"', '{"ticker":"GME","ecpnd_score":1},\n{"ticker":"NA"')
    ),
    '"tickers":9',
  ],
  [
    "a row that stands twice",
    setText((it) => it.replace('{"ticker":"NA","ecpnd_score":null},\n', (row) => row + row)),
    /sets\/\S+02\.json: /,
  ],
  [
    "rows in another order",
    setText((it) => it.replace(/(\{"ticker":"0012".*\n)(\{"ticker":"1E5".*\n)/, "$2$1")),
    /sets\/\S+02\.json: /,
  ],
  [
    "a byte of a set under its old hash",
    text(set(SET), (it) => it.replace("0.875", "0.874")),
    /sets\/\S+02\.json: Cannot read \$\.sha256: expected/,
  ],
  [
    "another factor in a set",
    setText((it) => it.replaceAll("ecpnd_score", "ecqdi_score").replace('"ecpnd"', '"ecqdi"')),
    /sets\/\S+02\.json: /,
  ],
  [
    "another version of the factor",
    setText((it) => it.replace("ecpnd-v1", "ecpnd-v2")),
    /checks\/\S+: /,
  ],
  [
    "another time of the calculation",
    setText((it) => it.replace("T13:00", "T13:30")),
    /checks\/\S+: /,
  ],
  ["another id in a set", setText((it) => it.replace(SET, OLD_SET)), /sets\/\S+02\.json: /],
];

const SAID: readonly Manipulation[] = [
  ["prices_through", check((it) => void (it.prices_through = "2026-11-18")), LINE],
  ["data_through", check((it) => void (it.data_through = "2026-11-20T14:00:00.000Z")), LINE],
  ["the status", check((it) => void (it.status = "partial_market_data")), LINE],
  ["the universe", check((it) => void (it.universe = "All stocks")), LINE],
  ["the mark synthetic, removed", check((it) => void delete it.synthetic), LINE],
  ["the mark synthetic, turned", check((it) => void (it.synthetic = false)), LINE],
  ["coverage", check((it) => void (coverage(it).price_tickers_current = 7)), LINE],
  ["failed calls", check((it) => void (coverage(it).failed_calls = 3)), LINE],
  ["pending calls", check((it) => void (coverage(it).pending_calls = 3)), LINE],
  [
    "a field that the service never sent",
    check((it) => void (it.confidence = 1)),
    "edited since the study was exported, as its manifest shows",
  ],
  [
    "the set of a check",
    check((it) =>
      void Object.assign(it, { snapshot_id: OLD_SET, calculated_at: "2026-11-20T10:00:00.000Z" })
    ),
    LINE,
  ],
  [
    "retrieved_at of a check",
    check((_, file) => void (file.retrieved_at = "2026-11-21T00:00:00.000Z")),
    LINE,
  ],
  [
    "last_checked_at of a check",
    check((it) => void (it.last_checked_at = "2026-11-20T15:00:01.000Z")),
    "expected the name 2026-11-20T15-00-01.000Z--",
  ],
  [
    "a check without the hash in its name",
    async (folder) =>
      text(await newest(folder), (it) => it.replace("2026-11-19", "2026-11-18"))(folder),
    /checks\/2026-11-20T15-\S+: Cannot read \$\.sha256: expected/,
  ],
  ["the universe of a release", release((it) => void (it.universe = "All stocks")), LINE],
  [
    "the availability of a release",
    release((it) => void (it.availability = "same session close")),
    LINE,
  ],
  ["the window of a release", release((it) => void (it.window_years = 30)), LINE],
  ["the mark synthetic of a release", release((it) => void delete it.synthetic), LINE],
  [
    "the receipt of a release",
    release((_, file) => void (file.available_from = "2026-11-20T16:00:00.000Z")),
    LINE,
  ],
  ["the counted rows of a release", release((it) => void (it.rows = 5)), LINE],
  [
    "the size of a release",
    release((_, file) => void (file.size_bytes = 78)),
    "expected 78 bytes, got 77",
  ],
  [
    "the hash of a release",
    release((it) => void (it.download_sha256 = "0".repeat(64))),
    "expected the folder 000000",
  ],
  [
    "a score of a release",
    rows((csv) => csv.replace(/0\.\d+/, "0.999")),
    "history.csv.gz: expected SHA-256",
  ],
  [
    "a row of a release",
    rows((csv) => csv.replace(/\n.*\n$/, "\n")),
    "history.csv.gz: expected SHA-256",
  ],
  ["a release whose hash and name were redone", async (folder) => {
    await rows((csv) => csv.replace(/0\.\d+/, "0.999"))(folder);
    const path = await releaseOf(folder);
    const bytes = await readFile(join(path, "history.csv.gz"));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await release((it, file) => {
      it.download_sha256 = sha256;
      file.size_bytes = bytes.length;
    })(folder);
    await rename(path, join(path, "..", sha256));
  }, "the lock has this release, but its file is missing"],
];

const FILES: readonly Manipulation[] = [
  [
    "two sets that change places",
    swap(set(SET), set(OLD_SET)),
    /expected \S+01 as in the name, got \S+02/,
  ],
  [
    "two checks that change places",
    async (folder) => swap(await newest(folder), await oldest(folder))(folder),
    /expected the name \S+ for the content/,
  ],
  [
    "two views that change places",
    swap(VIEW, "store/ecpnd/views/2026-11-20T12-59-59.999Z.json"),
    "expected the latest check by then",
  ],
  [
    "the sets of two factors",
    swap("store/ecpnd/sets", "store/ecqdi/sets"),
    "expected ecpnd as in the folder, got ecqdi",
  ],
  [
    "a set that was removed",
    (folder) => rm(join(folder, set(SET))),
    "the lock has this set, but its file is missing",
  ],
  [
    "a check that was removed",
    async (folder) => await rm(join(folder, await newest(folder))),
    /the check \S+ is missing/,
  ],
  [
    "a view that was removed",
    (folder) => rm(join(folder, VIEW)),
    "got no check that proves it from the store",
  ],
  [
    "a release that was removed",
    async (folder) => await rm(await releaseOf(folder), { recursive: true }),
    "the lock has this release, but its file is missing",
  ],
  [
    "the rows of a release that were removed",
    async (folder) => await rm(join(await releaseOf(folder), "history.csv.gz")),
    /history\.csv\.gz/,
  ],
  [
    "what a release says, removed",
    async (folder) => await rm(join(await releaseOf(folder), "release.json")),
    "the lock has this release, but its file is missing",
  ],
  [
    "the store, removed",
    (folder) => rm(join(folder, "store"), { recursive: true }),
    "expected a folder with a store.json, got no such folder",
  ],
  [
    "store.json, removed",
    (folder) => rm(join(folder, "store/store.json")),
    "expected a folder with a store.json, got a folder without it",
  ],
  [
    "store.json of a world",
    text("store/store.json", (it) => withoutSeal(it).replace('"recording"', '"world"')),
    "store.json: edited since the study was exported, as its manifest shows",
  ],
  [
    "a set that was renamed",
    (folder) => rename(join(folder, set(SET)), join(folder, set(SET.replace("02", "03")))),
    /sets\/\S+03\.json: expected \S+03 as in the name/,
  ],
  [
    "a set that is empty",
    replace(set(SET), (path) => writeFile(path, "")),
    /sets\/\S+02\.json: Unexpected end of JSON/,
  ],
  [
    "a check that is empty",
    async (folder) => replace(await newest(folder), (path) => writeFile(path, ""))(folder),
    /checks\/\S+: Unexpected end of JSON/,
  ],
  [
    "a view that is empty",
    replace(VIEW, (path) => writeFile(path, "")),
    /views\/\S+: .*expected the file as it was written, got a changed one/,
  ],
  [
    "a set that is cut off",
    text(set(SET), (it) => it.slice(0, 200)),
    /sets\/\S+02\.json: .*JSON at position 200/,
  ],
  [
    "a set that is a folder",
    replace(set(SET), (path) => mkdir(path)),
    /sets\/\S+02\.json: .*expected a regular file, got a folder/,
  ],
  [
    "a check that is a folder",
    async (folder) => replace(await newest(folder), (path) => mkdir(path))(folder),
    /checks\/\S+: .*expected a regular file, got a folder/,
  ],
  [
    "a view that is a folder",
    replace(VIEW, (path) => mkdir(path)),
    /views\/\S+: .*expected a regular file, got a folder/,
  ],
  [
    "sets that are a file",
    replace("store/ecpnd/sets", (path) => writeFile(path, "")),
    /store\/ecpnd\/sets: Cannot list .*Not a directory/,
  ],
  [
    "a set that is a link to another one",
    replace(set(SET), (path) => symlink(`${OLD_SET}.json`, path)),
    /sets\/\S+02\.json: .*expected a regular file, got a link/,
  ],
  [
    "a set that is a link to itself",
    replace(set(SET), (path) => symlink(path, path)),
    /sets\/\S+02\.json: .*expected a regular file, got a link/,
  ],
  [
    "a set that is a link to a device",
    replace(set(SET), (path) => symlink("/dev/null", path)),
    /sets\/\S+02\.json: .*expected a regular file, got a link/,
  ],
  ...["sets", "checks", "views"].map((kind): Manipulation => [
    `a pipe in the place of one of the ${kind}`,
    async (folder) => {
      const place = join("store/ecpnd", kind);
      const [name] = (await readdir(join(folder, place))).toSorted().slice(-1);
      await replace(join(place, name!), (path) => run("mkfifo", [path]))(folder);
    },
    new RegExp(`${kind}/\\S+: .*expected a regular file, got a device`),
  ]),
  ...["history.csv.gz", "release.json"].map((name): Manipulation => [
    `a pipe in the place of the ${name} of a release`,
    async (folder) => {
      const path = join(await releaseOf(folder), name);
      await replace(path.slice(folder.length + 1), (path) => run("mkfifo", [path]))(folder);
    },
    /releases\/\S+: .*expected a regular file, got a device/,
  ]),
  ...["store/store.json", "prices.csv", "manifest-sha256.txt"].map((name): Manipulation => [
    `a pipe in the place of ${name}`,
    replace(name, (path) => run("mkfifo", [path])),
    "expected a regular file, got a device",
  ]),
  [
    "a pipe in the place of a signature",
    (folder) => run("mkfifo", [join(folder, `${LOCK}.sig`)]),
    "expected a file with its signature, got a device",
  ],
  [
    "a pipe that looks like an archive of sets",
    (folder) => run("mkfifo", [join(folder, "store/ecpnd/sets/archive.tar")]),
    "expected a regular file, got a device",
  ],
  [
    "a file that is none of a store",
    (folder) => writeFile(join(folder, "store/ecpnd/sets/notes.txt"), "mine"),
    "store/ecpnd/sets/notes.txt: note: no file of a store: nothing reads it",
  ],
  [
    "a link that is no file of a store",
    (folder) => symlink("/etc", join(folder, "store/ecpnd/etc")),
    "store/ecpnd/etc: note: a link, and no file of a store: nothing reads it",
  ],
  [
    "a forged set beside the true one",
    async (folder) =>
      await writeFile(
        join(folder, `${set(SET)}.gz`),
        gzipSync((await readFile(join(folder, set(SET)), "utf8")).replace("0.875", "0.874")),
      ),
    /\.json\.gz: .*\$\.sha256: expected/,
  ],
  [
    "a check of another study",
    async (folder) =>
      await cp(join(other, "store/ecqdi/checks"), join(folder, "store/ecqdi/checks"), {
        recursive: true,
      }),
    HARMLESS,
  ],
  [
    "the store of another study",
    replace("store", (path) => cp(join(other, "store"), path, { recursive: true })),
    "the lock has this set, but its file is missing",
  ],
  ["an input", text("prices.csv", (it) => it.replace("10", "11")), "expected the file as pinned"],
  [
    "an input that was removed",
    (folder) => rm(join(folder, "prices.csv")),
    "the lock has this input, but its file is missing",
  ],
  [
    "an input that is a folder",
    replace("prices.csv", (path) => mkdir(path)),
    "its file cannot be read",
  ],
  [
    "an input that is a link to another file",
    replace("prices.csv", (path) => symlink("study.lock.json", path)),
    "expected a regular file, got a link",
  ],
  [
    "a notebook",
    text("a.ipynb", () => '{"cells":[1]}'),
    "a.ipynb: note: edited since the study was exported",
  ],
  [
    "a notebook that was removed",
    (folder) => rm(join(folder, "a.ipynb")),
    "a.ipynb: note: removed since the study was exported",
  ],
  [
    "the manifest",
    text("manifest-sha256.txt", (it) => it.replace(/^[0-9a-f]{64}/, "0".repeat(64))),
    "edited since the study was exported",
  ],
  [
    "the manifest, removed",
    (folder) => rm(join(folder, "manifest-sha256.txt")),
    "other edits cannot be detected",
  ],
  [
    "the manifest, emptied",
    text("manifest-sha256.txt", () => ""),
    "manifest-sha256.txt: note: edited since the study was exported",
  ],
  [
    "the manifest of another study",
    replace("manifest-sha256.txt", (path) => cp(join(other, "manifest-sha256.txt"), path)),
    "edited since the study was exported, as its manifest shows",
  ],
];

const LOCKS: readonly Manipulation[] = [
  [
    "the time of the study",
    lock((it) => it.replace('"as_of": "2026-11-20', '"as_of": "2026-11-21')),
    "expected as_of, service, world and synthetic as they were written",
  ],
  [
    "the service",
    lock((it) => it.replace("http://embedded.localhost", "http://evil.localhost")),
    "expected as_of, service, world and synthetic",
  ],
  [
    "the world",
    lock((it) => it.replace('"name":"fixture"', '"name":"real"')),
    "expected as_of, service, world and synthetic",
  ],
  [
    "a head that says nothing is synthetic",
    lock((it) => it.replace('"synthetic": true', '"synthetic": false')),
    "in the store is synthetic",
  ],
  [
    "such a head, sealed",
    resealed((it) => it.replace('"synthetic": true', '"synthetic": false')),
    "in the store is synthetic",
  ],
  [
    "an earlier time of the study, sealed",
    resealed((it) => it.replace('"as_of": "2026-11-20T15', '"as_of": "2026-11-20T14')),
    "looks ahead of the study's time",
  ],
  [
    "a later time of the study, sealed",
    resealed((it) => it.replace('"as_of": "2026-11-20T15', '"as_of": "2026-11-21T15')),
    "note: nothing was received at the study's time",
  ],
  [
    "the service, sealed",
    resealed((it) => it.replace("http://embedded.localhost", "http://evil.localhost")),
    "note: the service is http://evil.localhost, and the store was loaded from http://embedded",
  ],
  [
    "a world of other versions, sealed",
    resealed((it) => it.replace('"world": {', '"world": {"factorVersions":{"ecpnd":"ecpnd-v9"},')),
    "expected a world with ecpnd-v1 as in the store, got ecpnd-v9",
  ],
  [
    "an absence after a publication, sealed",
    resealed((it) =>
      it.replace(/("absences": \[\n \{"factor":"ecpnd","at":")[^"]+/, "$12026-11-20T10:00:30.000Z")
    ),
    LINE,
  ],
  [
    "the numbers of a set, sealed",
    resealed((it) => it.replace(/"numbers":"[0-9a-f]{8}/, '"numbers":"00000000')),
    LINE,
  ],
  ["the rows of a set, sealed", resealed((it) => it.replace('"tickers":8', '"tickers":9')), LINE],
  [
    "the universe of a set, sealed",
    resealed((it) => it.replace('"universe":"US', '"universe":"All')),
    "the universe",
  ],
  [
    "the set of a view, sealed",
    resealed((it) =>
      it.replace(
        new RegExp(`("at":"2026-11-20T15:00:05.000Z","snapshot_id":")${SET}`),
        `$1${OLD_SET}`,
      )
    ),
    LINE,
  ],
  [
    "the receipt of a view, sealed",
    resealed((it) => it.replace(/("views": \[[^]*?"retrieved_at":"2026-11-20T)15/, "$116")),
    LINE,
  ],
  [
    "the instant of a view, sealed",
    resealed((it) => it.replace('"at":"2026-11-20T14:30', '"at":"2026-11-20T11:30')),
    LINE,
  ],
  ["the rows of a release, sealed", resealed((it) => it.replace('"rows":4', '"rows":5')), LINE],
  [
    "the availability of a release, sealed",
    resealed((it) => it.replace("next session open", "same session")),
    LINE,
  ],
  [
    "the hash of an input, sealed",
    resealed((it) => it.replace(/("path":"prices.csv","sha256":")[0-9a-f]{8}/, "$100000000")),
    "expected the file as pinned",
  ],
  [
    "an absence that was none, sealed",
    resealed((it) => it.replace("T09:59:59.999Z", "T14:59:59.999Z")),
    LINE,
  ],
  [
    "the line of a set that was removed",
    lock((it) => it.replace(`${lineOf(it, OLD_SET)}\n`, "")),
    "in the lock, got none",
  ],
  [
    "a view that stands twice",
    lock((it) =>
      it.replace(lineOf(it, "T14:30:00"), (line) => `${line.replace(/,$/, "")},\n${line}`)
    ),
    "expected a line that does not repeat",
  ],
  [
    "two heads",
    lock((it) => it.replace('"service"', '"as_of": "2026-11-21T00:00:00.000Z",\n"service"')),
    "repeated name",
  ],
  [
    "a seal",
    lock((it) =>
      it.replace(/"sets": "4 [0-9a-f]{4}/, '"sets": "4 0000').replace(
        /"sets": "3 [0-9a-f]{4}/,
        '"sets": "3 0000',
      )
    ),
    "as they were written",
  ],
  ["no seals", lock((it) => it.replace(/,\n"seal": \{[^}]*\}/, "")), "as they were written"],
  [
    "format 1 without seals",
    lock((it) => it.replace('"format": 2', '"format": 1').replace(/,\n"seal": \{[^}]*\}/, "")),
    "no such list in format 1",
  ],
  [
    "format 3",
    lock((it) => it.replace('"format": 2', '"format": 3')),
    /\$\.registered .*expected a list, got nothing/,
  ],
  [
    "format 4",
    lock((it) => it.replace('"format": 2', '"format": 4')),
    /expected 1, 2 or 3, got 4; use a version of scoreframe that reads this format/,
  ],
  [
    "lines in another order",
    lock((it) => it.replace(/(\n \{"factor".*),(\n \{"factor".*),/, "$2,$1,")),
    "not in its normal form",
  ],
  [
    "spaces in the lock",
    lock((it) => it.replace('"sets": [', '"sets":  [')),
    "not in its normal form",
  ],
  ["the lock, removed", (folder) => rm(join(folder, LOCK)), "expected a study.lock.json, got none"],
  ["the lock, emptied", replace(LOCK, (path) => writeFile(path, "")), "expected JSON, got"],
  ["the lock, cut off", lock((it) => it.slice(0, 1_000)), "expected JSON, got"],
  [
    "a lock that is a folder",
    replace(LOCK, (path) => mkdir(path)),
    "expected a regular file, got a folder",
  ],
  [
    "a lock that is a link to itself",
    replace(LOCK, (path) => symlink(path, path)),
    "expected a regular file, got a link",
  ],
  [
    "the lock of another study",
    replace(LOCK, (path) => cp(join(other, LOCK), path)),
    "the lock has this set, but its file is missing",
  ],
];

/** Makes the lock and the manifest fit what a folder holds, with what its verification says: anybody can. */
async function refit(folder: string): Promise<void> {
  const path = join(folder, LOCK);
  let forged = await readFile(path, "utf8");
  for (const { says } of (await verifyStudy(folder)).problems) {
    const [, line, found] = /^expected (\{.*\}), got (\{.*\}) from the store$/.exec(says) ?? [];
    if (line !== undefined) forged = forged.replace(line, found!);
  }
  await writeFile(path, encodeLock(parseLock(forged).lock));
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/^(manifest-sha256|prices)|\.sig$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const lines = await Promise.all(names.map(async (name) => {
    const sha256 = createHash("sha256").update(await readFile(name)).digest("hex");
    return `${sha256}  ${name.slice(folder.length + 1)}\n`;
  }));
  await writeFile(join(folder, "manifest-sha256.txt"), lines.sort().join(""));
}

// Whoever rewrites all of a study can rewrite it: nothing tells, but for a signature.
const CONSISTENT: readonly (readonly [what: string, edit: Edit])[] = [
  ["a score", setText((it) => it.replace('"A","ecpnd_score":0.3}', '"A","ecpnd_score":0.9}'))],
  ["a ticker", setText((it) => it.replace('"NA"', '"NB"'))],
  ["prices_through", check((it) => void (it.prices_through = "2026-11-18"))],
  ["coverage", check((it) => void (coverage(it).failed_calls = 3))],
  [
    "the receipt of a check",
    check((_, file) => void (file.retrieved_at = "2026-11-20T15:00:05.001Z")),
  ],
  ["the availability of a release", release((it) => void (it.availability = "same session close"))],
  ["the world and the service", lock((it) => it.replace('"name":"fixture"', '"name":"real"'))],
  ["an input", async (folder) => {
    await text("prices.csv", (it) => it.replace("10", "11"))(folder);
    const sha256 = createHash("sha256").update(await readFile(join(folder, "prices.csv"))).digest(
      "hex",
    );
    await lock((it) => it.replace(/("path":"prices.csv","sha256":")[0-9a-f]{64}/, `$1${sha256}`))(
      folder,
    );
  }],
  ["all of it, by another study", async (folder) => {
    for (const name of [LOCK, "store", "prices.csv"]) {
      await rm(join(folder, name), { recursive: true });
      await cp(join(other, name), join(folder, name), { recursive: true });
    }
  }],
];

/** Verdicts of the verification, by the folders of the manipulated studies. */
const verdicts = new Map<string, boolean>();

/** Everything that a study says, of its verification and of a replay of each verb. */
async function saidOf(folder: string): Promise<string> {
  const verified = await verifyStudy(folder).then(
    ({ problems, notes }) =>
      [...problems, ...notes.map(({ path, says }) => ({ path, says: `note: ${says}` }))]
        .map(({ path, says }) => `${path}: ${says}`),
    (error) => {
      expect(error, String(error?.stack)).toBeInstanceOf(ScoreframeError);
      return [error.message];
    },
  );
  return verified.join("\n");
}

/** The numbers of a row, and whose they are; any check proves a view that asked for its set alone. */
const numbersOf = (row: Json) =>
  Object.entries(row).filter(([name]) => /^(at|session|ticker|\w+_score)$/.test(name));

async function replayOf(folder: string): Promise<readonly string[]> {
  const study = await service.openFrozen(folder).catch((error) => error);
  if (study instanceof Error) {
    expect(study, String(study.stack)).toBeInstanceOf(ScoreframeError);
    return [study.message];
  }
  const said: string[] = [];
  const verbs = [
    () => study.scores("ecpnd"),
    () => study.panel("ecqdi", { at: ["2026-11-20T14:30:00Z"] }),
    () => study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" }),
    () => study.history("ecpnd", { progress: false }),
    () => study.input("prices.csv"),
  ];
  for (const verb of verbs) {
    await verb().then(
      (frame: { toRecords?: () => Json[] }) =>
        said.push(JSON.stringify(frame.toRecords?.().map(numbersOf) ?? "")),
      (error: Error) => {
        expect(error, String(error?.stack)).toBeInstanceOf(ScoreframeError);
        said.push(error.message);
      },
    );
  }
  return said;
}

describe.each([["rows", ROWS], ["what rows say of themselves", SAID], ["files", FILES], [
  "the lock",
  LOCKS,
]])(
  "a manipulation of %s is named",
  (_, manipulations) => {
    test.each(manipulations)("%s", async (_, edit, words) => {
      const folder = join(home, crypto.randomUUID());
      await cp(pristine, folder, { recursive: true });
      await edit(folder);
      const said = await saidOf(folder);
      const isSound = await verifyStudy(folder).then(
        ({ problems }) => problems.length === 0,
        () => false,
      );
      verdicts.set(folder, isSound);
      if (words === HARMLESS) expect(said).toBe("");
      else expect(said).toMatch(words);
      // Whatever was edited, a replay gives the numbers that were recorded, or an error.
      for (const line of (await replayOf(folder)).filter((line) => line.startsWith("["))) {
        expect(numbers).toContain(line);
      }
    });
  },
);

test(
  "the Python script of the format's page finds all that the verification does, and no more",
  async () => {
    const found = await pageVerdicts([...verdicts.keys()]);
    const others = [...verdicts].filter(([folder, isSound]) => found[folder]!.isSound !== isSound);
    const said = await Promise.all(
      others.map(async ([folder]) => `${await saidOf(folder)}\n  the page: ${found[folder]!.says}`),
    );
    expect(said).toEqual([]);
    expect(verdicts.size).toBeGreaterThan(100);
  },
  120_000,
);

describe("a manipulation that rewrites everything consistently", () => {
  let key: string;
  let signers: string;
  beforeAll(async () => {
    key = join(home, "ann");
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", key]);
    signers = join(home, "allowed_signers");
    await writeFile(signers, `ann@example.com ${await readFile(`${key}.pub`, "utf8")}`);
  });

  test.each(CONSISTENT)("nothing: only a signature tells: %s", async (_, edit) => {
    const folder = join(home, crypto.randomUUID());
    await cp(pristine, folder, { recursive: true });
    await signStudy(folder, key);
    const verified = () => verifyStudy(folder, () => {}, { signers });
    expect((await verified()).problems).toEqual([]);
    await edit(folder);
    await refit(folder);
    const said = (await verified()).problems.map(({ path, says }) => `${path}: ${says}`).join("\n");
    expect(said).toMatch(/study\.lock\.json: .*sign/);
    for (const name of [LOCK, "manifest-sha256.txt"]) {
      await rm(join(folder, `${name}.sig`), { force: true });
    }
    expect((await verifyStudy(folder)).problems).toEqual([]);
  });
});

test("the tables have at least 60 manipulations, each of its own kind", () => {
  const all = [ROWS, SAID, FILES, LOCKS].flat().map(([what]) => what);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(60);
});
