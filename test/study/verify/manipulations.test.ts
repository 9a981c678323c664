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
type Change = [change: (text: string) => string] | [from: string | RegExp, to: string];

const changed = ([from, to]: Change) => (before: string) => {
  const after = typeof from === "function" ? from(before) : before.replace(from, to!);
  expect(after).not.toBe(before);
  return after;
};

const run = promisify(execFile);

/** A path in a study, or what finds it there. */
type Place = string | ((folder: string) => Promise<string>);
const pathOf = async (folder: string, place: Place) =>
  join(folder, typeof place === "string" ? place : await place(folder));

const text = (place: Place, ...change: Change): Edit => async (folder) => {
  const path = await pathOf(folder, place);
  await writeFile(path, changed(change)(await readFile(path, "utf8")));
};

const lock = (...change: Change) => text(LOCK, ...change);

/** The lock with an edit, and with seals that fit it. */
const resealed = (...change: Change) =>
  lock((before) => encodeLock(parseLock(changed(change)(before)).lock));

const swap = (place: Place, by: Place): Edit => async (folder) => {
  const [one, two] = [await pathOf(folder, place), await pathOf(folder, by)];
  await rename(one, join(folder, "held"));
  await rename(two, one);
  await rename(join(folder, "held"), two);
};

const removed = (place: Place): Edit => async (folder) =>
  await rm(await pathOf(folder, place), { recursive: true });

const replace = (place: Place, by: (path: string) => Promise<unknown>): Edit => async (folder) => {
  const path = await pathOf(folder, place);
  await rm(path, { recursive: true });
  await by(path);
};
const emptied = (place: Place) => replace(place, (path) => writeFile(path, ""));
const asFolder = (place: Place) => replace(place, (path) => mkdir(path));
const asPipe = (place: Place): Edit => async (folder) => {
  const path = await pathOf(folder, place);
  await rm(path, { force: true });
  await run("mkfifo", [path]);
};
const linked = (place: Place, to: string) => replace(place, (path) => symlink(to, path));
const ofOther = (name: string) =>
  replace(name, (path) => cp(join(other, name), path, { recursive: true }));

type Fields = Json | ((it: Json, file: Json) => void);
const edited = (fields: Fields) =>
  typeof fields === "function" ? fields : (it: Json) => void Object.assign(it, fields);

const check = (fields: Fields): Edit => (folder) =>
  forgeCheck(join(folder, "store/ecpnd"), NEWEST, edited(fields));

const covered = (counts: Json) => check((it) => void Object.assign(it.coverage as Json, counts));

const inRelease = (name: string) => async (folder: string) => {
  const [sha256] = await readdir(join(folder, "store/ecpnd/releases"));
  return join("store/ecpnd/releases", sha256!, name);
};

const release = (fields: Fields): Edit => async (folder) =>
  await editJson(
    await pathOf(folder, inRelease("release.json")),
    (file) => edited(fields)(file.release as Json, file),
  );

/** The rows of a release, with everything beside them that its folder needs to be one. */
const rows = (...change: Change): Edit => async (folder) => {
  const path = await pathOf(folder, inRelease("history.csv.gz"));
  await writeFile(path, gzipSync(changed(change)(gunzipSync(await readFile(path)).toString())));
};

const set = (id: string) => `store/ecpnd/sets/${id}.json`;
/** An edit of a set whose hash at the end is made for it. */
const setText = (...change: Change) =>
  text(set(SET), (before) => {
    const after = changed(change)(before.slice(0, before.lastIndexOf(',"sha256"')));
    return `${after},"sha256":"${createHash("sha256").update(after).digest("hex")}"}\n`;
  });
const checkAt = (hour: number) => async (folder: string) =>
  `store/ecpnd/checks/${
    (await readdir(join(folder, "store/ecpnd/checks"))).find((name) => name.includes(`T${hour}-`))
  }`;
const newest = checkAt(15);
const VIEW = "store/ecpnd/views/2026-11-20T15-00-05.000Z.json";
const lineOf = (of: string, mark: string) =>
  of.split("\n").find((line) => line.startsWith(" {") && line.includes(mark))!;

/** The edit, and the words of the verification. */
type Manipulation = readonly [edit: Edit, words: RegExp | string];
type Manipulations = Readonly<Record<string, Manipulation>>;

const SET_FILE = /sets\/\S+02\.json: /;
const SET_LINK = /sets\/\S+02\.json: .*expected a regular file, got a link/;
const SHA256 = "history.csv.gz: expected SHA-256";
const NO_SET = "the lock has this set, but its file is missing";
const NO_RELEASE = "the lock has this release, but its file is missing";
const DEVICE = "expected a regular file, got a device";
const MANIFEST = "manifest-sha256.txt";
const EDITED = "edited since the study was exported, as its manifest shows";
const HEAD = "expected as_of, service, world and synthetic";

const ROWS: Manipulations = {
  "a score": [setText('"A","ecpnd_score":0.3}', '"A","ecpnd_score":0.9}'), LINE],
  "the last digit of a score": [setText("0.875", "0.8750000000000001"), LINE],
  "a score of 0 that is missing": [
    setText('"0012","ecpnd_score":0}', '"0012","ecpnd_score":null}'),
    LINE,
  ],
  "a missing score that is 0": [setText('"ecpnd_score":null', '"ecpnd_score":0'), LINE],
  "a ticker": [setText('"BRK.B"', '"BRK.A"'), LINE],
  "two tickers that change places": [
    setText((it) =>
      it.replace('"BF-B"', '"#"').replace('"BRK.B"', '"BF-B"').replace('"#"', '"BRK.B"')
    ),
    "the text is not in its canonical form",
  ],
  "two scores that change places": [
    setText((it) => it.replace("0.875", "#").replace("0.375", "0.875").replace("#", "0.375")),
    LINE,
  ],
  "a row that was removed": [setText('{"ticker":"NA","ecpnd_score":null},\n', ""), '"tickers":7'],
  "a row that was added": [
    setText('{"ticker":"NA"', '{"ticker":"GME","ecpnd_score":1},\n{"ticker":"NA"'),
    '"tickers":9',
  ],
  "a row that stands twice": [
    setText('{"ticker":"NA","ecpnd_score":null},\n', "$&$&"),
    SET_FILE,
  ],
  "rows in another order": [
    setText(/(\{"ticker":"0012".*\n)(\{"ticker":"1E5".*\n)/, "$2$1"),
    SET_FILE,
  ],
  "a byte of a set under its old hash": [
    text(set(SET), "0.875", "0.874"),
    /sets\/\S+02\.json: Cannot read \$\.sha256: expected/,
  ],
  "another factor in a set": [
    setText((it) => it.replaceAll("ecpnd_score", "ecqdi_score").replace('"ecpnd"', '"ecqdi"')),
    SET_FILE,
  ],
  "another version of the factor": [setText("ecpnd-v1", "ecpnd-v2"), /checks\/\S+: /],
  "another time of the calculation": [setText("T13:00", "T13:30"), /checks\/\S+: /],
  "another id in a set": [setText(SET, OLD_SET), SET_FILE],
};

const SAID: Manipulations = {
  "prices_through": [check({ prices_through: "2026-11-18" }), LINE],
  "data_through": [check({ data_through: "2026-11-20T14:00:00.000Z" }), LINE],
  "the status": [check({ status: "partial_market_data" }), LINE],
  "the universe": [check({ universe: "All stocks" }), LINE],
  "the mark synthetic, removed": [check((it) => void delete it.synthetic), LINE],
  "the mark synthetic, turned": [check({ synthetic: false }), LINE],
  "coverage": [covered({ price_tickers_current: 7 }), LINE],
  "failed calls": [covered({ failed_calls: 3 }), LINE],
  "pending calls": [covered({ pending_calls: 3 }), LINE],
  "a field that the service never sent": [check({ confidence: 1 }), EDITED],
  "the set of a check": [
    check({ snapshot_id: OLD_SET, calculated_at: "2026-11-20T10:00:00.000Z" }),
    LINE,
  ],
  "retrieved_at of a check": [
    check((_, file) => void (file.retrieved_at = "2026-11-21T00:00:00.000Z")),
    LINE,
  ],
  "last_checked_at of a check": [
    check({ last_checked_at: "2026-11-20T15:00:01.000Z" }),
    "expected the name 2026-11-20T15-00-01.000Z--",
  ],
  "a check without the hash in its name": [
    text(newest, "2026-11-19", "2026-11-18"),
    /checks\/2026-11-20T15-\S+: Cannot read \$\.sha256: expected/,
  ],
  "the universe of a release": [release({ universe: "All stocks" }), LINE],
  "the availability of a release": [release({ availability: "same session close" }), LINE],
  "the window of a release": [release({ window_years: 30 }), LINE],
  "the mark synthetic of a release": [release((it) => void delete it.synthetic), LINE],
  "the receipt of a release": [
    release((_, file) => void (file.available_from = "2026-11-20T16:00:00.000Z")),
    LINE,
  ],
  "the counted rows of a release": [release({ rows: 5 }), LINE],
  "the size of a release": [
    release((_, file) => void (file.size_bytes = 78)),
    "expected 78 bytes, got 77",
  ],
  "the hash of a release": [
    release({ download_sha256: "0".repeat(64) }),
    "expected the folder 000000",
  ],
  "a score of a release": [rows(/0\.\d+/, "0.999"), SHA256],
  "a row of a release": [rows(/\n.*\n$/, "\n"), SHA256],
  "a release whose hash and name were redone": [async (folder) => {
    await rows(/0\.\d+/, "0.999")(folder);
    const path = await pathOf(folder, inRelease(""));
    const bytes = await readFile(join(path, "history.csv.gz"));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await release((it, file) => {
      it.download_sha256 = sha256;
      file.size_bytes = bytes.length;
    })(folder);
    await rename(path, join(path, "..", sha256));
  }, NO_RELEASE],
};

const FILES: Manipulations = {
  "two sets that change places": [
    swap(set(SET), set(OLD_SET)),
    /expected \S+01 as in the name, got \S+02/,
  ],
  "two checks that change places": [
    swap(newest, checkAt(12)),
    /expected the name \S+ for the content/,
  ],
  "two views that change places": [
    swap(VIEW, "store/ecpnd/views/2026-11-20T12-59-59.999Z.json"),
    "expected the latest check by then",
  ],
  "the sets of two factors": [
    swap("store/ecpnd/sets", "store/ecqdi/sets"),
    "expected ecpnd as in the folder, got ecqdi",
  ],
  "a set that was removed": [removed(set(SET)), NO_SET],
  "a check that was removed": [removed(newest), /the check \S+ is missing/],
  "a view that was removed": [removed(VIEW), "got no check that proves it from the store"],
  "a release that was removed": [removed(inRelease("")), NO_RELEASE],
  "the rows of a release that were removed": [
    removed(inRelease("history.csv.gz")),
    /history\.csv\.gz/,
  ],
  "what a release says, removed": [removed(inRelease("release.json")), NO_RELEASE],
  "the store, removed": [
    removed("store"),
    "expected a folder with a store.json, got no such folder",
  ],
  "store.json, removed": [
    removed("store/store.json"),
    "expected a folder with a store.json, got a folder without it",
  ],
  "store.json of a world": [
    text("store/store.json", (it) => withoutSeal(it).replace('"recording"', '"world"')),
    "store.json: edited since the study was exported, as its manifest shows",
  ],
  "a set that was renamed": [
    (folder) => rename(join(folder, set(SET)), join(folder, set(SET.replace("02", "03")))),
    /sets\/\S+03\.json: expected \S+03 as in the name/,
  ],
  "a set that is empty": [emptied(set(SET)), /sets\/\S+02\.json: Unexpected end of JSON/],
  "a check that is empty": [emptied(newest), /checks\/\S+: Unexpected end of JSON/],
  "a view that is empty": [
    emptied(VIEW),
    /views\/\S+: .*expected the file as it was written, got a changed one/,
  ],
  "a set that is cut off": [
    text(set(SET), (it) => it.slice(0, 200)),
    /sets\/\S+02\.json: .*JSON at position 200/,
  ],
  "a set that is a folder": [
    asFolder(set(SET)),
    /sets\/\S+02\.json: .*expected a regular file, got a folder/,
  ],
  "a check that is a folder": [
    asFolder(newest),
    /checks\/\S+: .*expected a regular file, got a folder/,
  ],
  "a view that is a folder": [
    asFolder(VIEW),
    /views\/\S+: .*expected a regular file, got a folder/,
  ],
  "sets that are a file": [
    emptied("store/ecpnd/sets"),
    /store\/ecpnd\/sets: Cannot list .*Not a directory/,
  ],
  "a set that is a link to another one": [linked(set(SET), `${OLD_SET}.json`), SET_LINK],
  "a set that is a link to itself": [linked(set(SET), `${SET}.json`), SET_LINK],
  "a set that is a link to a device": [linked(set(SET), "/dev/null"), SET_LINK],
  ...Object.fromEntries(["sets", "checks", "views"].map((kind): [string, Manipulation] => [
    `a pipe in the place of one of the ${kind}`,
    [
      asPipe(async (folder) => {
        const place = join("store/ecpnd", kind);
        return join(place, (await readdir(join(folder, place))).toSorted().at(-1)!);
      }),
      new RegExp(`${kind}/\\S+: .*expected a regular file, got a device`),
    ],
  ])),
  ...Object.fromEntries(["history.csv.gz", "release.json"].map((name): [string, Manipulation] => [
    `a pipe in the place of the ${name} of a release`,
    [asPipe(inRelease(name)), /releases\/\S+: .*expected a regular file, got a device/],
  ])),
  ...Object.fromEntries(["store/store.json", "prices.csv", MANIFEST].map(
    (name): [string, Manipulation] => [`a pipe in the place of ${name}`, [asPipe(name), DEVICE]],
  )),
  "a pipe in the place of a signature": [
    asPipe(`${LOCK}.sig`),
    "expected a file with its signature, got a device",
  ],
  "a pipe that looks like an archive of sets": [asPipe("store/ecpnd/sets/archive.tar"), DEVICE],
  "a file that is none of a store": [
    (folder) => writeFile(join(folder, "store/ecpnd/sets/notes.txt"), "mine"),
    "store/ecpnd/sets/notes.txt: note: no file of a store: nothing reads it",
  ],
  "a link that is no file of a store": [
    (folder) => symlink("/etc", join(folder, "store/ecpnd/etc")),
    "store/ecpnd/etc: note: a link, and no file of a store: nothing reads it",
  ],
  "a forged set beside the true one": [async (folder) =>
    await writeFile(
      join(folder, `${set(SET)}.gz`),
      gzipSync((await readFile(join(folder, set(SET)), "utf8")).replace("0.875", "0.874")),
    ), /\.json\.gz: .*\$\.sha256: expected/],
  "a check of another study": [
    (folder) =>
      cp(join(other, "store/ecqdi/checks"), join(folder, "store/ecqdi/checks"), {
        recursive: true,
      }),
    HARMLESS,
  ],
  "the store of another study": [ofOther("store"), NO_SET],
  "an input": [text("prices.csv", "10", "11"), "expected the file as pinned"],
  "an input that was removed": [
    removed("prices.csv"),
    "the lock has this input, but its file is missing",
  ],
  "an input that is a folder": [asFolder("prices.csv"), "its file cannot be read"],
  "an input that is a link to another file": [
    linked("prices.csv", "study.lock.json"),
    "expected a regular file, got a link",
  ],
  "a notebook": [
    text("a.ipynb", () => '{"cells":[1]}'),
    "a.ipynb: note: edited since the study was exported",
  ],
  "a notebook that was removed": [
    removed("a.ipynb"),
    "a.ipynb: note: removed since the study was exported",
  ],
  "the manifest": [
    text(MANIFEST, /^[0-9a-f]{64}/, "0".repeat(64)),
    "edited since the study was exported",
  ],
  "the manifest, removed": [removed(MANIFEST), "other edits cannot be detected"],
  "the manifest, emptied": [
    text(MANIFEST, () => ""),
    "manifest-sha256.txt: note: edited since the study was exported",
  ],
  "the manifest of another study": [ofOther(MANIFEST), EDITED],
};

const LOCKS: Manipulations = {
  "the time of the study": [
    lock('"as_of": "2026-11-20', '"as_of": "2026-11-21'),
    "expected as_of, service, world and synthetic as they were written",
  ],
  "the service": [lock("http://embedded.localhost", "http://evil.localhost"), HEAD],
  "the world": [lock('"name":"fixture"', '"name":"real"'), HEAD],
  "a head that says nothing is synthetic": [
    lock('"synthetic": true', '"synthetic": false'),
    "in the store is synthetic",
  ],
  "such a head, sealed": [
    resealed('"synthetic": true', '"synthetic": false'),
    "in the store is synthetic",
  ],
  "an earlier time of the study, sealed": [
    resealed('"as_of": "2026-11-20T15', '"as_of": "2026-11-20T14'),
    "looks ahead of the study's time",
  ],
  "a later time of the study, sealed": [
    resealed('"as_of": "2026-11-20T15', '"as_of": "2026-11-21T15'),
    "note: nothing was received at the study's time",
  ],
  "the service, sealed": [
    resealed("http://embedded.localhost", "http://evil.localhost"),
    "note: the service is http://evil.localhost, and the store was loaded from http://embedded",
  ],
  "a world of other versions, sealed": [
    resealed('"world": {', '"world": {"factorVersions":{"ecpnd":"ecpnd-v9"},'),
    "expected a world with ecpnd-v1 as in the store, got ecpnd-v9",
  ],
  "an absence after a publication, sealed": [
    resealed(/("absences": \[\n \{"factor":"ecpnd","at":")[^"]+/, "$12026-11-20T10:00:30.000Z"),
    LINE,
  ],
  "the numbers of a set, sealed": [resealed(/"numbers":"[0-9a-f]{8}/, '"numbers":"00000000'), LINE],
  "the rows of a set, sealed": [resealed('"tickers":8', '"tickers":9'), LINE],
  "the universe of a set, sealed": [resealed('"universe":"US', '"universe":"All'), "the universe"],
  "the set of a view, sealed": [
    resealed(new RegExp(`("at":"2026-11-20T15:00:05.000Z","snapshot_id":")${SET}`), `$1${OLD_SET}`),
    LINE,
  ],
  "the receipt of a view, sealed": [
    resealed(/("views": \[[^]*?"retrieved_at":"2026-11-20T)15/, "$116"),
    LINE,
  ],
  "the instant of a view, sealed": [
    resealed('"at":"2026-11-20T14:30', '"at":"2026-11-20T11:30'),
    LINE,
  ],
  "the rows of a release, sealed": [resealed('"rows":4', '"rows":5'), LINE],
  "the availability of a release, sealed": [resealed("next session open", "same session"), LINE],
  "the hash of an input, sealed": [
    resealed(/("path":"prices.csv","sha256":")[0-9a-f]{8}/, "$100000000"),
    "expected the file as pinned",
  ],
  "an absence that was none, sealed": [resealed("T09:59:59.999Z", "T14:59:59.999Z"), LINE],
  "the line of a set that was removed": [
    lock((it) => it.replace(`${lineOf(it, OLD_SET)}\n`, "")),
    "in the lock, got none",
  ],
  "a view that stands twice": [
    lock((it) =>
      it.replace(lineOf(it, "T14:30:00"), (line) => `${line.replace(/,$/, "")},\n${line}`)
    ),
    "expected a line that does not repeat",
  ],
  "two heads": [
    lock('"service"', '"as_of": "2026-11-21T00:00:00.000Z",\n"service"'),
    "repeated name",
  ],
  "a seal": [
    lock((it) =>
      it.replace(/"sets": "4 [0-9a-f]{4}/, '"sets": "4 0000').replace(
        /"sets": "3 [0-9a-f]{4}/,
        '"sets": "3 0000',
      )
    ),
    "as they were written",
  ],
  "no seals": [lock(/,\n"seal": \{[^}]*\}/, ""), "as they were written"],
  "format 1 without seals": [
    lock((it) => it.replace('"format": 2', '"format": 1').replace(/,\n"seal": \{[^}]*\}/, "")),
    "no such list in format 1",
  ],
  "format 3": [lock('"format": 2', '"format": 3'), /\$\.registered .*expected a list, got nothing/],
  "format 4": [
    lock('"format": 2', '"format": 4'),
    /expected 1, 2 or 3, got 4; use a version of scoreframe that reads this format/,
  ],
  "lines in another order": [
    lock(/(\n \{"factor".*),(\n \{"factor".*),/, "$2,$1,"),
    "not in its normal form",
  ],
  "spaces in the lock": [lock('"sets": [', '"sets":  ['), "not in its normal form"],
  "the lock, removed": [removed(LOCK), "expected a study.lock.json, got none"],
  "the lock, emptied": [emptied(LOCK), "expected JSON, got"],
  "the lock, cut off": [lock((it) => it.slice(0, 1_000)), "expected JSON, got"],
  "a lock that is a folder": [asFolder(LOCK), "expected a regular file, got a folder"],
  "a lock that is a link to itself": [linked(LOCK, LOCK), "expected a regular file, got a link"],
  "the lock of another study": [ofOther(LOCK), NO_SET],
};

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
  await writeFile(join(folder, MANIFEST), lines.sort().join(""));
}

// Whoever rewrites all of a study can rewrite it: nothing tells, but for a signature.
const CONSISTENT: Readonly<Record<string, Edit>> = {
  "a score": setText('"A","ecpnd_score":0.3}', '"A","ecpnd_score":0.9}'),
  "a ticker": setText('"NA"', '"NB"'),
  "prices_through": check({ prices_through: "2026-11-18" }),
  "coverage": covered({ failed_calls: 3 }),
  "the receipt of a check": check((_, file) =>
    void (file.retrieved_at = "2026-11-20T15:00:05.001Z")
  ),
  "the availability of a release": release({ availability: "same session close" }),
  "the world and the service": lock('"name":"fixture"', '"name":"real"'),
  "an input": async (folder) => {
    await text("prices.csv", "10", "11")(folder);
    const sha256 = createHash("sha256").update(await readFile(join(folder, "prices.csv"))).digest(
      "hex",
    );
    await lock(/("path":"prices.csv","sha256":")[0-9a-f]{64}/, `$1${sha256}`)(
      folder,
    );
  },
  "all of it, by another study": async (folder) => {
    for (const name of [LOCK, "store", "prices.csv"]) await ofOther(name)(folder);
  },
};

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
    test.each(Object.entries(manipulations))("%s", async (_, [edit, words]) => {
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

  test.each(Object.entries(CONSISTENT))("nothing: only a signature tells: %s", async (_, edit) => {
    const folder = join(home, crypto.randomUUID());
    await cp(pristine, folder, { recursive: true });
    await signStudy(folder, key);
    const verified = () => verifyStudy(folder, () => {}, { signers });
    expect((await verified()).problems).toEqual([]);
    await edit(folder);
    await refit(folder);
    const said = (await verified()).problems.map(({ path, says }) => `${path}: ${says}`).join("\n");
    expect(said).toMatch(/study\.lock\.json: .*sign/);
    for (const name of [LOCK, MANIFEST]) {
      await rm(join(folder, `${name}.sig`), { force: true });
    }
    expect((await verifyStudy(folder)).problems).toEqual([]);
  });
});

test("the tables have at least 60 manipulations, each of its own kind", () => {
  const all = [ROWS, SAID, FILES, LOCKS].flatMap(Object.keys);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(60);
});
