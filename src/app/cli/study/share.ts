import { basename } from "node:path";
import { createProgress } from "../../../frames/notebook/kernel/progress.ts";
import { type ExportedStudy, exportStudy } from "../../../study/share/export_study.ts";
import { findKey, signStudy, signText } from "../../../study/sign/sign_study.ts";
import { byLine, type Terminal } from "../terminal.ts";
import { countText, sizeText } from "../../../base/wording/number_text.ts";
import { JSON_OUTPUT, readStudy, type StudyCommand, studyCommand } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { flag, several, text } from "../command.ts";
import { importStudy } from "../../../study/share/import_study.ts";

const MOST_NAMED = 10;

/** `study export`: writes a zip that another machine can verify. */
export const EXPORT: StudyCommand = studyCommand({
  does: "write a study as one zip, described as an RO-Crate",
  usage: ["study export FILE [STUDY] [options]"],
  about:
    `Writes lock, store, notebooks, the inputs that the lock pins, and the pins of the project (deno.json,
deno.lock, package.json) in the folder of the study as one zip with RO-Crate metadata and a checksum of each
file. What comes from elsewhere is listed, and needs an option. Equal content gives equal bytes. A file with something that looks like an API key is
refused. Prints the files that are left out, and the number of scores that the notebooks show: numbers in
score columns of tables. Texts, pictures and tables with a column for each ticker are not counted.`,
  options: {
    "without-data": flag(
      "leave the store out: scores are licensed, and readers restore them with their own key",
    ),
    "without-inputs": flag(
      "leave out the inputs that the lock pins, if they are licensed; readers need their own copies",
    ),
    "clear-outputs": flag(`write the notebooks without outputs (the originals stay as they are);
verify --run then has nothing to compare with`),
    include: several(
      "PATH",
      'add another file, a folder, or a pattern such as "scripts/*.py"; may be repeated',
    ),
    outside: flag("add the pins of the project from folders above, each listed"),
    library: text(
      "SHA256",
      "add the packed scoreframe that the pins name, if its hash is this one",
    ),
    key: text("PATH", 'sign lock and manifest with an SSH key, as "study sign" does'),
    license: text("URL", "address of the licence (left out if it is not given)"),
    creator: text("NAME", "author (left out if it is not given)"),
    name: text("NAME", "name of the study (default: its folder)"),
    json: JSON_OUTPUT,
  },
  example:
    `  ${commandLine()} study export momentum.zip momentum --without-data --license https://spdx.org/licenses/MIT`,
  words: [1, 2],
  run: async ({ values, words: [file, given], terminal, around }) => {
    const { folder } = await readStudy(given);
    const { license, creator, key, name, library = null, include = [] } = values;
    const withoutData = values["without-data"] === true;
    const shown = { unit: "share", enabled: values.json !== true } as const;
    const progress = createProgress("Exporting", { ...shown, ...around.progress });
    const exported = await exportStudy(folder, file!, {
      progress,
      clearOutputs: values["clear-outputs"] === true,
      withoutData,
      withoutInputs: values["without-inputs"] === true,
      outside: values.outside === true,
      library,
      include,
      name: name ?? basename(folder),
      ...(key !== undefined && { sign: (text: string) => signText(text, key) }),
      ...(license !== undefined && { license }),
      ...(creator !== undefined && { creator }),
    });
    await progress.finish();
    if (values.json === true) terminal.out(JSON.stringify(exported));
    else {
      tell(file!, exported, terminal);
      const shown = exported.shownScores;
      // Scores in the output of a notebook are licensed, too.
      const words = shown === 0
        ? "no scores in score columns of tables; texts and pictures were not checked"
        : `${countText(shown, "score")} in tables, although the store is left out; ` +
          "--clear-outputs removes their outputs";
      if (withoutData) terminal.out(`notebooks show ${words}`);
    }
    return 0;
  },
});

/** `study import`: unpacks an exported study. */
export const IMPORT: StudyCommand = studyCommand({
  does: "unpack an exported study, after checking each file",
  usage: ["study import FILE FOLDER [--json]"],
  about:
    `Unpacks an exported study into a new or empty folder. Lists files that were changed after the export, and
refuses an archive that would write outside the folder or do other harm, or whose lock was edited by hand.
The folder appears only after all checks. Nothing in it is executed.`,
  options: { json: JSON_OUTPUT },
  example: `  ${commandLine()} study import momentum.zip momentum`,
  words: [2, 2],
  run: async ({ values, words: [file, folder], terminal, around }) => {
    const enabled = values.json !== true;
    const progress = createProgress("Importing", { enabled, ...around.progress });
    const { files, hasData } = await importStudy(file!, folder!, { progress });
    await progress.finish();
    const next = hasData ? "verify" : "restore";
    if (values.json === true) terminal.out(JSON.stringify({ files, hasData }));
    else {
      byLine(terminal).out(
        `${folder}: ${files.length} files, all as exported; next: ${commandLine()} study ${next} ${folder}`,
      );
    }
    return 0;
  },
});

/** `study sign`: signs a study with an SSH key. */
export const SIGN: StudyCommand = studyCommand({
  does: "sign the lock with your SSH key, so that others can verify its author",
  usage: ["study sign [STUDY] [--key PATH] [--json]"],
  about:
    `Signs study.lock.json, and the manifest of an imported study, with your SSH key: ssh-keygen -Y sign in the
namespace scoreframe-study. The signatures are files beside them (.sig) and part of an export; "export --key"
signs the manifest of the archive as well. "verify --signers FILE" identifies the signer, where
FILE is an allowed_signers file of ssh-keygen; the standard tool checks signatures too:`,
  options: {
    key: text(
      "PATH",
      "private key, or a public one that ssh-agent holds (default: the first of ~/.ssh)",
    ),
    json: JSON_OUTPUT,
  },
  example:
    `  ssh-keygen -Y verify -f FILE -I ann@example.com -n scoreframe-study -s study.lock.json.sig < study.lock.json

  ${commandLine()} study sign momentum --key ~/.ssh/id_ed25519`,
  words: [0, 1],
  run: async ({ values, words: [given], terminal }) => {
    const { folder } = await readStudy(given);
    const key = values.key ?? await findKey();
    const signed = await signStudy(folder, key);
    if (values.json === true) terminal.out(JSON.stringify({ signed, key }));
    else for (const path of signed) terminal.out(`${path}: signed with ${key}`);
    return 0;
  },
});

function tell(file: string, exported: ExportedStudy, given: Terminal): void {
  const terminal = byLine(given);
  const { files, sizeBytes, leftOut, notes, outside } = exported;
  terminal.out(`${file}: ${files} files, ${sizeText(sizeBytes)}`);
  for (const { path, from, isTaken } of outside) {
    const left = `left out, outside of the study: ${from}; --outside adds it as ${path}`;
    terminal.out(isTaken ? `from outside of the study: ${from}, as ${path}` : left);
  }
  for (const note of notes) terminal.out(note);
  if (leftOut.length === 0) return;
  const more = leftOut.length > MOST_NAMED ? ` and ${leftOut.length - MOST_NAMED} more` : "";
  const named = leftOut.slice(0, MOST_NAMED).join(", ") + more;
  terminal.out(`left out: ${named}; --include PATH adds a file`);
}
