import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import * as scoreframe from "../../mod.ts";
import { runStudy } from "../../src/app/cli/study/run_study.ts";
import { type Cell, mistakes } from "./_mistakes.ts";

const { openStudy, readPrices } = scoreframe as unknown as Cell;
const WORLD = { demo: { hours: 48, tickers: 5, years: 1 }, environment: {} };

let home: string;
let folder: string;
let study: Cell;
let frozen: Cell;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-study-mistakes-"));
  folder = join(home, "momentum");
  await mkdir(join(folder, "data"), { recursive: true });
  await writeFile(join(folder, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,10\n");
  await writeFile(join(folder, "sectors.csv"), "ticker,sector\n");
  study = await openStudy!(folder, WORLD) as Cell;
  await study["scores"]!("ecpnd");
  await study["input"]!("prices.csv");
  frozen = await openStudy!(folder, { mode: "frozen", environment: {} }) as Cell;
});
afterAll(async () => {
  await study?.["close"]?.();
  await frozen?.["close"]?.();
  await rm(home, { recursive: true, force: true });
});

/** What a command line says, of itself or by its error. */
async function typed(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  await runStudy(args, { out: write, error: write });
  return lines.join("\n");
}

/** A copy of the study in which something was done. */
async function copied(change: (place: string) => Promise<unknown>): Promise<string> {
  const place = join(home, crypto.randomUUID());
  await cp(folder, place, { recursive: true });
  await change(place);
  return place;
}

const lockWith = (from: string | RegExp, to: string) =>
  copied(async (place) => {
    const path = join(place, "study.lock.json");
    await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
  });

mistakes("opening a study is answered with what to type", {
  "a mode of another tool": [
    () => openStudy!(folder, { mode: "offline" }),
    'expected mode to be "auto" or "frozen" or "update"',
  ],
  "a mode of the environment": [
    () => openStudy!(folder, { environment: { SCOREFRAME_STUDY_MODE: "on" } }),
    "expected SCOREFRAME_STUDY_MODE to be one of auto, frozen, update",
  ],
  "as_of for asOf": [() => openStudy!(folder, { as_of: "2026-11-20" }), "did you mean asOf?"],
  "a date as its time": [
    () => openStudy!(folder, { asOf: "2026-11-20" }),
    "got the date 2026-11-20 without a time",
  ],
  "a time without a zone": [
    () => openStudy!(folder, { asOf: "2026-11-20T15:00:00" }),
    "without a time zone; add Z for UTC",
  ],
  "another time than its own": [
    () => openStudy!(folder, { asOf: "2026-11-19T15:00:00Z", environment: {} }),
    "expected its time 2026-11-20T15:00:00.000Z",
  ],
  "a store of its own": [() => openStudy!(folder, { store: "x" }), 'asOf, mode, demo, got "store"'],
  "a demo by its size": [
    () => openStudy!(folder, { demo: "small" }),
    'expected demo to be true or false or an object such as { seed: 7 }, got "small"',
  ],
  "a folder without a lock, frozen": [
    async () =>
      await (await openStudy!(join(home, "new"), { mode: "frozen", environment: {} }) as Cell)[
        "scores"
      ]!("ecpnd"),
    "expected a study.lock.json, got none",
  ],
  "a lock that is none": [
    async () => await openStudy!(await lockWith('"views"', '"veiws"')),
    "expected a list",
  ],
  "a lock with a mark of a merge": [
    async () => await openStudy!(await lockWith('"sets"', '<<<<<<< HEAD\n"sets"')),
    "restore the lock from git",
  ],
  "a lock of a later version": [
    async () => await openStudy!(await lockWith('"format": 2', '"format": 4')),
    "expected 1, 2 or 3, got 4",
  ],
});

mistakes("loading in a study is answered with what to type", {
  "a view that a frozen study lacks": [
    () => frozen["scores"]!("ecqdi"),
    "expected the ecqdi view at 2026-11-20T15:00:00.000Z in the lock of the frozen study",
  ],
  "a view after its time": [
    () => frozen["scores"]!("ecpnd", { at: "2026-11-21T15:00:00Z" }),
    "got the view at 2026-11-21T15:00:00.000Z",
  ],
  "a release that a frozen study lacks": [
    () => frozen["history"]!("ecpnd"),
    "expected a ecpnd release in the lock",
  ],
  "a factor that is none": [
    () => frozen["scores"]!("momentum"),
    'to be "ecpnd" or "ecqdi", got "momentum"',
  ],
  "a watch of a study": [() => study["watch"]!("ecpnd"), "expected a connection"],
  "the allowance of a frozen study": [
    () => frozen["allowance"]!(),
    "got a frozen one, which sends nothing",
  ],
});

mistakes("an input of a study is answered with what to type", {
  "an input that is not there": [() => study["input"]!("closes.csv"), "got no such file"],
  "an input of another folder": [
    () => study["input"]!("../closes.csv"),
    "expected a file in its folder",
  ],
  "an input that is a folder": [() => study["input"]!("data"), "expected a file, got a folder"],
  "a frame as an input": [
    () => study["input"]!({ path: "prices.csv" }),
    "expected the path of a file",
  ],
  "the lock as an input": [() => study["input"]!("study.lock.json"), "got one elsewhere"],
  "pin for repin": [() => study["input"]!("prices.csv", { pin: true }), 'repin, got "pin"'],
  "an input that a frozen study lacks": [
    () => frozen["input"]!("sectors.csv"),
    "got prices.csv; a run with SCOREFRAME_STUDY_MODE=auto pins it",
  ],
  "prices that changed since they were pinned": [async () => {
    const place = await copied((copy) =>
      writeFile(join(copy, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,11\n")
    );
    const opened = await openStudy!(place, { mode: "frozen", environment: {} }) as Cell;
    try {
      return await readPrices!(join(place, "prices.csv"));
    } finally {
      await opened["close"]!();
    }
  }, "expected the file as pinned"],
});

mistakes("a command line of a study is answered with what to type", {
  "a folder without a study": [() => typed("verify", home), "expected a study.lock.json, got none"],
  "a folder that is not there": [
    () => typed("list", join(home, "none")),
    "give the folder of a study",
  ],
  "verfy for verify": [() => typed("verfy"), "expected one of list, verify"],
  "an export to a folder": [
    () => typed("export", home, folder),
    "expected the path of a zip, got a folder",
  ],
  "an export into a folder that is not there": [
    () => typed("export", join(home, "a/b/c.zip"), folder),
    "expected the folder",
  ],
  "an export without a path": [
    () => typed("export"),
    "expected study export FILE [STUDY] [options], got 0 arguments",
  ],
  "an include of nothing": [
    () => typed("export", join(home, "x.zip"), folder, "--include", "*.xlsx"),
    "expected a file in the folder of the study, got none",
  ],
  "an export with a notebook that is none": [async () =>
    typed(
      "export",
      join(home, "y.zip"),
      await copied((place) => writeFile(join(place, "a.ipynb"), "{")),
    ), "expected a notebook, got a file without cells"],
  "an export of a lock that was edited": [
    async () => typed("export", join(home, "z.zip"), await lockWith('"scored":', '"scored":1')),
    "edited by hand or merged",
  ],
  "an import of a folder": [
    () => typed("import", home, join(home, "in")),
    "got a folder or a device",
  ],
  "an import of nothing": [
    () => typed("import", join(home, "no.zip"), join(home, "in")),
    "got no such file; name the zip",
  ],
  "an import of a text": [
    () => typed("import", join(folder, "prices.csv"), join(home, "in")),
    "expected a complete zip",
  ],
  "an import over a study": [() => typed("import", join(home, "no.zip"), folder), "no such file"],
  "a time limit in words": [
    () => typed("verify", folder, "--run", "--timeout", "10m"),
    "expected a number from 1 to 86400",
  ],
  "a parameter without a run": [() => typed("verify", folder, "-p", "rows=2"), "expected --run"],
  "a parameter without a value": [
    () => typed("verify", folder, "--run", "-p", "rows"),
    "expected name=value",
  ],
  "signers for a study that nobody signed": [async () => {
    const signers = join(home, "allowed_signers");
    await writeFile(signers, "anna ssh-ed25519 AAAAC3NzaC1lZDI1NTE5\n");
    return typed("verify", folder, "--signers", signers);
  }, "expected a signature, got none"],
  "a file of signers that is not there": [
    () => typed("verify", folder, "--signers", join(home, "signers")),
    "expected an allowed_signers file of ssh-keygen, got no readable file",
  ],
  "a key that is not there": [
    () => typed("sign", folder, "--key", join(home, "id")),
    "expected an SSH key that can sign",
  ],
  "a comparison of one study": [
    () => typed("compare", folder),
    "expected study compare A B [--json], got 1 argument",
  ],
  "a comparison with a revision of git": [
    () => typed("compare", folder, "HEAD~1"),
    "expected a study.lock.json, got none",
  ],
});
