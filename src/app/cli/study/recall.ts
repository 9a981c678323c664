import { basename, join, relative, resolve } from "node:path";
import process from "node:process";
import { registeredNumbers } from "../../../analysis/factor/scores_origin.ts";
import { isThere } from "../../../base/disk/files.ts";
import { ScoreframeError } from "../../../base/errors.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { cacheFolder } from "../../../client/open_storage.ts";
import { numberSentence } from "../../../study/hold_out/registered_text.ts";
import type { StudyLock } from "../../../study/lock/lock.ts";
import { type Recall, recallStudies } from "../../../study/recall/recall_studies.ts";
import { type Cause, inputCause } from "../../../study/recall/stands_on.ts";
import type { CellDifference } from "../../../study/run/run_notebooks.ts";
import { FAULTS, isKnownName } from "../../../client/uses/reach.ts";
import { type IndexedStudies, indexStudies } from "../../../study/recall/recall_index.ts";
import { type ReplayedNumber, replayNumbers } from "../../../study/recall/replay_numbers.ts";
import { isRange } from "../../../study/recall/version_range.ts";
import { flag, type Option, several, text, UsageError, type Values } from "../command.ts";
import { byLine } from "../terminal.ts";
import { JSON_OUTPUT, type StudyCommand, studyCommand } from "./study_command.ts";

function checked(
  takes: string,
  says: string,
  required: string,
  accepts: (given: string) => boolean,
): Option<string> {
  return { takes, says, required, read: (given) => accepts(given) ? given : undefined };
}

const range = (says: string) =>
  checked("RANGE", says, "a range of versions, such as <0.2.0 or >=0.1.0", isRange);
const hex = (takes: string, says: string) =>
  checked(
    takes,
    says,
    "4 or more of its digits",
    (given) => /^[0-9a-f][0-9a-f-]{3,63}$/.test(given),
  );
const date = (says: string) =>
  checked("DATE", says, "a date, such as 2025-03-01", (given) => /^\d{4}-\d\d-\d\d$/.test(given));

const OPTIONS = {
  set: hex("ID", "a score set, by its id or the beginning of it"),
  release: hex("SHA256", "a release, by its checksum or the beginning of it"),
  input: text("FILE", "an input: the file, as it was pinned or corrected, or its SHA-256"),
  rows: text("FILE", "an input of which only rows changed: those of --ticker from --from on"),
  ticker: text("TICKER", "the ticker of these rows"),
  from: date("first date of these rows"),
  to: date("last date of these rows; later ones too without it"),
  library: range("made with such versions of scoreframe"),
  polars: range("made with such versions of Polars"),
  runtime: range("made with such versions of Deno or Node"),
  uses: {
    ...several("NAME", "computed with a function or method, also by way of others"),
    required: "a function or method of this library",
    read: (given: string, before: readonly string[] = []) =>
      isKnownName(given) || isKnownName(`.${given}`) ? [...before, given] : undefined,
  },
  option: text("NAME=VALUE", "gave a function this option; one of --uses, if given"),
  fault: checked(
    "NAME",
    "a fault of docs/faults.md: its versions and functions",
    "a fault of docs/faults.md",
    (given) => FAULTS.some(({ name }) => name === given),
  ),
  replay: flag("compute the recorded numbers again, and list them before and after"),
  with: text(
    "PATH",
    "with --replay: the corrected file, or a store or study with the corrected set",
  ),
  run: flag("with --replay: the notebooks too, in the box of study verify --run"),
  json: JSON_OUTPUT,
};

/** `study recall`: lists the studies that stand on something. */
export const RECALL: StudyCommand = studyCommand({
  does: "list the studies that stand on a set, release, input, version, function or known fault",
  usage: ["study recall ROOT [options]"],
  about:
    `Reads the locks, code and exported files of the studies below a folder, and lists those that stand on everything that is
named; without anything, on each known fault. Changes no study and sends nothing; one file of the cache keeps what was read.
Exits with 1 if a study stands on it.`,
  options: OPTIONS,
  example: `  ${commandLine()} study recall ~/research --library '<0.2.0' --uses portfolioReturns
  ${commandLine()} study recall ~/research --rows prices.csv --ticker BRK.B --from 2025-03-01 --replay`,
  words: [1, 1],
  run: async ({ values, words: [given], terminal, around }) => {
    const root = resolve(given!);
    if (!await isThere(root)) {
      throw new ScoreframeError(`Cannot recall: expected a folder of studies, got no ${root}`);
    }
    const environment = around?.connection.environment ?? process.env;
    const indexed = await indexStudies(root, join(cacheFolder(environment), "recall.json"));
    const answers: Answer[] = [];
    for (const { title, cause } of await questionsOf(values, indexed)) {
      const recall = await recallStudies(indexed, cause);
      const replayed = values.replay === true ? await replayAll(values, cause, recall) : null;
      answers.push({ title, ...recall, replayed });
    }
    if (values.json === true) terminal.out(JSON.stringify(answers, null, 1));
    else for (const line of linesOf(root, answers)) byLine(terminal).out(line);
    return answers.some(({ recalled }) => recalled.length > 0) ? 1 : 0;
  },
});

interface Replay {
  readonly folder: string;
  readonly numbers: readonly ReplayedNumber[];
  /** Cells whose outputs differ; `null` if no notebook was run. */
  readonly cells: readonly CellDifference[] | null;
}

interface Answer extends Recall {
  readonly title: string;
  readonly replayed: readonly Replay[] | null;
}

interface Question {
  readonly title: string;
  readonly cause: Cause;
}

/** A cause in words and in parts; without any part, each known fault. */
async function questionsOf(
  values: Values<typeof OPTIONS>,
  { studies }: IndexedStudies,
): Promise<readonly Question[]> {
  assertAllowed(values);
  const { set, release, rows, input = rows, ticker = "", from = "", to = "9999-12-31" } = values;
  const { library, polars, runtime, uses = [], option, fault } = values;
  const [name = "", ...value] = option?.split("=") ?? [];
  const cause: Cause = {
    set,
    release,
    input: input === undefined ? undefined : await inputCause(input, studies),
    rows: rows === undefined ? undefined : { ticker, from, to },
    versions: { scoreframe: library, polars, runtime },
    uses: uses.map((one) => [one]),
    option: option === undefined ? undefined : { name, value: value.join("=") || null },
  };
  const { replay: _, with: __, run: ___, json: ____, fault: _____, ...told } = values;
  const title = Object.entries(told).map(([key, one]) => `${key} ${[one].flat().join(", ")}`)
    .join(", ");
  const isBare = title === "";
  const faults = FAULTS.filter((one) => fault === undefined ? isBare : one.name === fault);
  if (faults.length === 0) return [{ title, cause }];
  return faults.map(({ name, says, versions: scoreframe, functions }) => ({
    title: `${name}: ${says}`,
    cause: {
      ...cause,
      versions: { ...cause.versions, scoreframe },
      uses: [...cause.uses, functions],
    },
  }));
}

function assertAllowed(values: Values<typeof OPTIONS>): void {
  const { rows, ticker, from, set, release, replay } = values;
  if (rows !== undefined && (ticker === undefined || from === undefined)) {
    throw new UsageError("Cannot use --rows: expected --ticker and --from beside it, got less");
  }
  const isThing = set !== undefined || release !== undefined;
  if (replay === true && isThing && values.with === undefined) {
    throw new UsageError(
      "Cannot replay: expected --with STORE, which has the corrected set or release, got none",
    );
  }
}

async function replayAll(
  { with: given, run: isRun = false, input, rows }: Values<typeof OPTIONS>,
  cause: Cause,
  { recalled }: Recall,
): Promise<readonly Replay[]> {
  const corrected = given ?? input ?? rows;
  const isThing = [cause.set, cause.release, cause.input].some((part) => part !== undefined);
  const replays: Replay[] = [];
  for (const { folder } of recalled) {
    const cells: CellDifference[] = [];
    const work = async (copy: string, { ignore }: StudyLock) => {
      if (!isRun) return;
      const { runNotebooks } = await import("../../../study/run/run_notebooks.ts");
      cells.push(...(await runNotebooks(copy, { ignore })).differences);
    };
    const run = (...args: Parameters<typeof registeredNumbers>) =>
      Promise.resolve(registeredNumbers(...args));
    const numbers = await replayNumbers(folder, {
      cause,
      corrected: isThing ? resolve(corrected!) : null,
      run,
      work,
    });
    replays.push({ folder, numbers, cells: isRun ? cells : null });
  }
  return replays;
}

// Of many questions only those are told that recall a study.
function linesOf(root: string, answers: readonly Answer[]): readonly string[] {
  const place = (folder: string) => `${relative(root, folder) || basename(root)}/`;
  const { total, unsound } = answers[0]!;
  const told = answers.filter(({ recalled }) => answers.length === 1 || recalled.length > 0);
  const untold = new Set(answers.flatMap((one) => one.untold));
  return [
    ...told.flatMap((answer) => answerLines(answer, place)),
    ...told.length > 0
      ? []
      : [`none of ${countText(total, "study", "studies")} stands on a known fault`],
    ...untold.size === 0
      ? []
      : [`nothing tells what was computed: ${[...untold].map(place).join(", ")}`],
    ...unsound.map(({ folder, says }) => `not sound: ${place(folder)}: ${says}`),
  ];
}

function answerLines(
  { title, total, recalled, replayed }: Answer,
  place: (folder: string) => string,
): readonly string[] {
  const width = Math.max(0, ...recalled.map(({ folder }) => place(folder).length));
  const verb = recalled.length === 1 ? "stands" : "stand";
  return [
    `${recalled.length} of ${countText(total, "study", "studies")} ${verb} on ${title}`,
    ...recalled.map(({ folder, holds, exports, verified }) => {
      const files = exports.map(({ path, isCurrent }) =>
        isCurrent ? path : `${path} (at another seal)`
      );
      const made = files.length === 0 ? "exports not told" : `exported: ${files.join(", ")}`;
      const sound = verified === null ? "verification not told" : `last verified ${verified}`;
      return `  ${place(folder).padEnd(width)}  ${[...holds, made, sound].join("; ")}`;
    }),
    ...(replayed ?? []).flatMap((one) => replayLines(place(one.folder), one)),
  ];
}

function replayLines(place: string, { numbers, cells }: Replay): readonly string[] {
  const changed = numbers.filter(({ isChanged }) => isChanged);
  const told = numbers.length === 0
    ? "no recorded number"
    : `${changed.length} of ${countText(numbers.length, "recorded number")} changed`;
  const rest = cells === null
    ? "; its notebooks were not run: add --run"
    : `; ${countText(cells.length, "cell")} changed`;
  return [
    `${place} ${told}${rest}`,
    ...changed.flatMap(({ test, before, after }) => [
      `  ${test}: before: ${numberSentence(before)}`,
      `  ${"".padEnd(test.length)}  after:  ${numberSentence(after)}`,
    ]),
    ...(cells ?? []).map(({ notebook, cell, where, expected, found }) =>
      `  ${notebook}, cell ${cell}: ${where}: before ${expected}, after ${found}`
    ),
  ];
}
