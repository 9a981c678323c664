import { basename, join, relative, resolve } from "node:path";
import process from "node:process";
import { registeredNumbers } from "../../../analysis/factor/scores_origin.ts";
import { isThere } from "../../../base/disk/files.ts";
import { ScoreframeError } from "../../../base/errors.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { cacheFolder } from "../../../client/open_storage.ts";
import { FAULTS, isKnownName } from "../../../client/uses/reach.ts";
import { numberSentence } from "../../../study/hold_out/registered_text.ts";
import { type IndexedStudies, indexStudies } from "../../../study/recall/recall_index.ts";
import { type Recall, recallStudies } from "../../../study/recall/recall_studies.ts";
import { type Replay, replayNumbers } from "../../../study/recall/replay_numbers.ts";
import { type Cause, inputCause, RANGE } from "../../../study/recall/stands_on.ts";
import type { RunRegistered } from "../../../study/register/open_hold_out.ts";
import { choice, flag, type Option, several, text, UsageError, type Values } from "../command.ts";
import { byLine } from "../terminal.ts";
import { JSON_OUTPUT, type StudyCommand, studyCommand } from "./study_command.ts";

// An option of a text of some form.
function like(takes: string, says: string, required: string, form: RegExp): Option<string> {
  return { takes, says, required, read: (given) => form.test(given) ? given : undefined };
}

const ranged = (says: string) =>
  like("RANGE", says, "a range of versions, such as <0.2.0 or >=0.1.0", RANGE);
const date = (says: string) =>
  like("DATE", says, "a date, such as 2025-03-01", /^\d{4}-\d\d-\d\d$/);
const HEX = ["4 or more of its digits", /^[0-9a-f][0-9a-f-]{3,63}$/] as const;

const OPTIONS = {
  set: like("ID", "a score set, by its id or the beginning of it", ...HEX),
  release: like("SHA256", "a release, by its checksum or the beginning of it", ...HEX),
  input: text("FILE", "an input: the file, as it was pinned or corrected, or its SHA-256"),
  rows: text("FILE", "an input of which only rows changed: those of --ticker from --from on"),
  ticker: text("TICKER", "the ticker of these rows"),
  from: date("first date of these rows"),
  to: date("last date of these rows; later ones too without it"),
  library: ranged("made with such versions of scoreframe"),
  polars: ranged("made with such versions of Polars"),
  runtime: ranged("made with such versions of Deno or Node"),
  uses: {
    ...several("NAME", "computed with a function or method, also by way of others"),
    required: "a function or method of this library",
    read: (given: string, before: readonly string[] = []) =>
      isKnownName(given) || isKnownName(`.${given}`) ? [...before, given] : undefined,
  },
  option: text("NAME=VALUE", "gave a function this option; one of --uses, if given"),
  fault: {
    ...choice(
      FAULTS.map(({ name }) => name),
      "a fault of docs/faults.md: its versions and functions",
    ),
    takes: "NAME",
    required: "a fault of docs/faults.md",
  },
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
    for (const [title, cause] of await questionsOf(values, indexed)) {
      const recall = await recallStudies(indexed, cause);
      answers.push({ title, ...recall, replayed: await replayAll(values, cause, recall) });
    }
    if (values.json === true) terminal.out(JSON.stringify(answers, null, 1));
    else for (const line of linesOf(root, answers)) byLine(terminal).out(line);
    return answers.some(({ recalled }) => recalled.length > 0) ? 1 : 0;
  },
});

interface Answer extends Recall {
  readonly title: string;
  readonly replayed: readonly (Replay & { readonly folder: string })[] | null;
}

/** A cause in words and in parts; without any part, each known fault. */
async function questionsOf(
  values: Values<typeof OPTIONS>,
  { studies }: IndexedStudies,
): Promise<readonly (readonly [title: string, cause: Cause])[]> {
  const { replay, with: corrected, run: _, json: __, fault, ...told } = values;
  const { set, release, rows, input = rows, ticker, from, to = "9999-12-31" } = told;
  if (rows !== undefined && (ticker === undefined || from === undefined)) {
    throw new UsageError("Cannot use --rows: expected --ticker and --from beside it, got less");
  }
  if (replay === true && (set ?? release) !== undefined && corrected === undefined) {
    throw new UsageError(
      "Cannot replay: expected --with STORE, which has the corrected set or release, got none",
    );
  }
  const { library, polars, runtime, uses = [], option } = told;
  const [name = "", ...value] = option?.split("=") ?? [];
  const cause: Cause = {
    set,
    release,
    input: input === undefined ? undefined : await inputCause(input, studies),
    rows: rows === undefined ? undefined : { ticker: ticker!, from: from!, to },
    versions: { scoreframe: library, polars, runtime },
    uses: uses.map((one) => [one]),
    option: option === undefined ? undefined : { name, value: value.join("=") || null },
  };
  const parts = Object.entries(told).map(([key, one]) => `${key} ${[one].flat().join(", ")}`);
  const faults = FAULTS.filter((one) =>
    fault === undefined ? parts.length === 0 : one.name === fault
  );
  if (faults.length === 0) return [[parts.join(", "), cause]];
  return faults.map(({ name, says, versions: scoreframe, functions }) => [`${name}: ${says}`, {
    ...cause,
    versions: { ...cause.versions, scoreframe },
    uses: [...cause.uses, functions],
  }]);
}

async function replayAll(
  { replay, with: given, run: isRun = false, input, rows }: Values<typeof OPTIONS>,
  cause: Cause,
  { recalled }: Recall,
): Promise<Answer["replayed"]> {
  if (replay !== true) return null;
  const isThing = (cause.set ?? cause.release ?? cause.input) !== undefined;
  const corrected = isThing ? resolve((given ?? input ?? rows)!) : null;
  const run: RunRegistered = (...args) => Promise.resolve(registeredNumbers(...args));
  return await Array.fromAsync(recalled, async ({ folder }) => (
    { folder, ...await replayNumbers(folder, { cause, corrected, run, isRun }) }
  ));
}

// Of many questions only those are told that recall a study.
function linesOf(root: string, answers: readonly Answer[]): readonly string[] {
  const place = (folder: string) => `${relative(root, folder) || basename(root)}/`;
  const { total, unsound } = answers[0]!;
  const told = answers.filter(({ recalled }) => answers.length === 1 || recalled.length > 0);
  const untold = [...new Set(answers.flatMap((one) => one.untold))].map(place).join(", ");
  const none = `none of ${countText(total, "study", "studies")} stands on a known fault`;
  return [
    ...told.length === 0 ? [none] : told.flatMap((answer) => answerLines(answer, place)),
    ...untold === "" ? [] : [`nothing tells what was computed: ${untold}`],
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
    ? "its notebooks were not run: add --run"
    : `${countText(cells.length, "cell")} changed`;
  return [
    `${place} ${told}; ${rest}`,
    ...changed.flatMap(({ test, before, after }) => [
      `  ${test}: before: ${numberSentence(before)}`,
      `  ${"".padEnd(test.length)}  after:  ${numberSentence(after)}`,
    ]),
    ...(cells ?? []).map(({ notebook, cell, where, expected, found }) =>
      `  ${notebook}, cell ${cell}: ${where}: before ${expected}, after ${found}`
    ),
  ];
}
