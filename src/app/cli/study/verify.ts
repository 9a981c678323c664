import process from "node:process";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { writeWhole } from "../../../base/disk/replace_file.ts";
import { sha256Hex } from "../../../base/store/layout.ts";
import { SIGNATURE } from "../../../study/share/manifest.ts";
import { signText } from "../../../study/sign/sign_study.ts";
import { createProgress } from "../../../frames/notebook/kernel/progress.ts";
import { readLockFile } from "../../../study/lock/lock_file.ts";
import { parseParameter } from "../../../study/run/parameters.ts";
import type { BoxTier } from "../../../study/run/box.ts";
import type { RunOptions, RunReport } from "../../../study/run/run_notebooks.ts";
import { type StudyReport, verifyStudy } from "../../../study/verify/verify_study.ts";
import { visibleText } from "../../../base/wording/visible_text.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { byLine, type Terminal } from "../terminal.ts";
import { JSON_OUTPUT, readStudy, type StudyCommand, studyCommand } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { flag, number, several, text } from "../command.ts";
import type { Finding } from "../../../study/verify/findings.ts";

const PROVED =
  "Lock, store and inputs agree, in an import with the manifest too. This does not prove authorship: anyone who can write all of them can make them agree. A signature (study sign, verify --signers) identifies the author of the lock";
const TIMEOUT_S = 600;
const TRUSTED = "trusted, without a box: ";

/** `study verify`: verifies a study. */
export const VERIFY: StudyCommand = studyCommand({
  does: "verify a study: store, lock, and with --run its notebooks",
  usage: [
    "study verify [STUDY] [--signers FILE] [--head HASH] [--run [--trust] [-p NAME=VALUE]...]",
    "             [--report FILE [--key PATH]] [--json]",
  ],
  about:
    `Reads a whole study and checks that the store is undamaged, and that it agrees with each line of
study.lock.json and with the hashes of the numbers there. Names each file and line that fails, and reports
harmless differences, such as another version of Polars. Changes nothing and sends nothing.`,
  options: {
    run: flag(
      `execute the notebooks frozen, from the top, in a Deno kernel, and compare the output of
each cell: in a box of the operating system, which has no network and sees a copy of the
study, this copy of scoreframe and an empty home; what leads out of it is tried before
the first cell, and where nothing shuts the code in, nothing is run`,
    ),
    trust: flag("run them with your rights instead, because you trust the code as your own"),
    signers: text(
      "FILE",
      "one of these must have signed the lock: an allowed_signers file of ssh-keygen",
    ),
    head: text(
      "HASH",
      `an entry of the registered tests that a paper or a colleague names: the lock must have it,
and so everything that was recorded before it`,
    ),
    timeout: number(
      "seconds that a cell may run (with --run, default 600); cells that exceed it are reported",
      { from: 1, to: 86_400, isWhole: false },
    ),
    report: text("FILE", "write the report as JSON, with the hash of the lock that it is about"),
    key: text(
      "PATH",
      "sign that file with an SSH key, as FILE.sig, in the namespace scoreframe-study",
    ),
    parameter: {
      ...several(
        "NAME=VALUE",
        `another value for a parameter that a cell tagged "parameters" declares (with --run);
the resulting differences are reported, but are not failures`,
      ),
      short: "p",
    },
    json: JSON_OUTPUT,
  },
  example:
    `To verify a study from someone else, run this in your own project and name the folder: inside that folder,
deno task would run the tasks of its deno.json.

  ${commandLine()} study verify momentum --run -p periods=21`,
  words: [0, 1],
  run: async ({ values, words: [given], terminal }) => {
    const { folder } = await readStudy(given);
    const isJson = values.json === true;
    const parameters = readParameters(values);
    const timeoutS = Math.round(values.timeout ?? TIMEOUT_S);
    const trust = values.trust === true;
    const enabled = !isJson && process.stderr.isTTY === true;
    const progress = createProgress("Verifying", { enabled });
    const onProgress = (done: number, total: number) => progress.update({ done, total });
    const { signers = null, head = null, report: path, key } = values;
    if (key !== undefined && path === undefined) {
      throw new RangeError("Cannot use --key: expected --report FILE, which it signs, got none");
    }
    const report = await verifyStudy(folder, onProgress, { signers, head });
    await progress.finish();
    if (!isJson) reportStudy(report, terminal);
    const run = values.run === true
      ? await runAll(folder, { parameters, timeoutS, trust }, isJson ? null : byLine(terminal))
      : null;
    const whole = run === null ? report : { ...report, run };
    if (path !== undefined) await saveReport(path, folder, whole, key);
    if (isJson) terminal.out(JSON.stringify(whole, null, 1));
    else if (run !== null) reportRun(run, report.notes, terminal);
    const isGood = run === null || isGoodRun(run, Object.keys(parameters).length > 0);
    return report.problems.length === 0 && isGood ? 0 : 1;
  },
});

async function saveReport(path: string, folder: string, report: object, key: string | undefined) {
  const { text } = (await readLockFile(folder))!;
  const lock_sha256 = sha256Hex(text);
  const said = visibleText(`${JSON.stringify({ lock_sha256, ...report }, null, 1)}\n`);
  const write = (name: string, content: string) =>
    onDisk(`write ${name}`, () => writeWhole(name, content));
  await write(path, said);
  if (key !== undefined) await write(`${path}${SIGNATURE}`, await signText(said, key));
}

// A run without a notebook is not good.
function isGoodRun({ notebooks, differences }: RunReport, isMeant: boolean): boolean {
  const differs = differences.some(({ isFailure }) => !isMeant || isFailure);
  return notebooks.length > 0 && notebooks.every(({ failure }) => failure === null) && !differs;
}

function readParameters(
  values: { readonly parameter?: readonly string[]; readonly run?: boolean },
): Readonly<Record<string, unknown>> {
  const given = values.parameter ?? [];
  if (given.length > 0 && values.run !== true) {
    throw new RangeError(
      "Cannot use -p: expected --run, which executes the notebooks, got none; add --run",
    );
  }
  return Object.fromEntries(given.map(parseParameter));
}

async function runAll(
  folder: string,
  wishes: Required<Pick<RunOptions, "parameters" | "timeoutS" | "trust">>,
  terminal: Terminal | null,
): Promise<RunReport> {
  const { lock } = (await readLockFile(folder))!;
  // Only a run needs Jupyter.
  const { runNotebooks } = await import("../../../study/run/run_notebooks.ts");
  const onNotebook = (path: string, cells: number, tier: BoxTier) => {
    const { trust } = wishes;
    const how = trust ? "with your rights" : `in a box without a network (${tier})`;
    terminal?.out(
      `${trust ? TRUSTED : ""}running the ${cells} cells of ${path}, frozen and ${how}`,
    );
  };
  return await runNotebooks(folder, { ...wishes, ignore: lock.ignore, onNotebook });
}

function reportStudy({ compared, problems, notes }: StudyReport, given: Terminal): void {
  const terminal = byLine(given);
  for (const { path, says } of problems) terminal.error(`${path}: ${says}`);
  for (const { path, says } of notes) terminal.out(`${path}: ${says}`);
  const { sets, views, releases } = compared;
  const verdict = problems.length === 0 ? "sound" : countText(problems.length, "problem");
  const all = [countText(sets, "set"), countText(views, "view"), countText(releases, "release")];
  terminal.out(`${all.join(", ")}: ${verdict}`);
  if (problems.length === 0) terminal.out(PROVED);
}

function reportRun(run: RunReport, notes: readonly Finding[], given: Terminal): void {
  const mark = run.notebooks.some(({ box }) => box?.tier === "trust") ? TRUSTED : "";
  const terminal = byLine({
    out: (line) => given.out(mark + line),
    error: (line) => given.error(mark + line),
  });
  for (const { notebook, cell, code, where, expected, found, explanation } of run.differences) {
    const why = explanation === null ? "" : `; ${explanation}`;
    terminal.error(
      `${notebook}, cell ${cell} (${code}): ${where}: expected ${expected}, found ${found}${why}`,
    );
  }
  const { differences: { length }, pictures } = run;
  const differ = `${length} ${length === 1 ? "differs" : "differ"}`;
  const verdict = length === 0 ? "all outputs are equal" : differ;
  const uncompared =
    `${pictures} pictures of equal size differ in their bytes and were not compared`;
  if (pictures > 0) terminal.out(uncompared);
  const ran = run.notebooks.filter(({ failure }) => failure === null).length;
  const seen = `${run.cells} compared, ${run.volatile} volatile, ${run.ignored} ignored by pattern`;
  if (run.notebooks.length === 0) {
    terminal.error("The study has no notebook: nothing was run or compared");
  } else terminal.out(`${seen}, in ${countText(ran, "notebook")}: ${verdict}`);
  reportBoxes(run, terminal);
  if (length === 0 || notes.length === 0) return;
  const others = notes.map(({ path, says }) => `${path}: ${says}`);
  terminal.out(`other differences in the study: ${others.join("; ")}`);
}

function reportBoxes(run: RunReport, terminal: Terminal): void {
  for (const { path, box, failure } of run.notebooks) {
    if (box === null) terminal.error(`${path}: not run: ${failure}`);
    else if (box.tier === "trust") terminal.out(`${path}: its cells could do what you can`);
    else {
      const ways = Object.keys(box.attempts).join(", ");
      terminal.out(
        `${path}: box: ${box.tier}; tried in it before the first cell, and closed: ${ways}`,
      );
    }
  }
  for (const name of run.unmapped) {
    terminal.out(`deno.json maps ${name}, which stays this library's: its module was not used`);
  }
}
