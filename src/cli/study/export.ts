import { basename } from "node:path";
import { exportStudy } from "../../study/share/export_study.ts";
import { sizeText, type StudyCommand, studyFolder } from "./study_command.ts";
import { commandLine } from "../../runtime/command_line.ts";

/** `study export`: one zip that another machine can verify. */
export const EXPORT: StudyCommand = {
  does: "write a study as one zip, described as an RO-Crate",
  help: `usage: ${commandLine()} study export FILE [STUDY] [options]

Writes lock, store, notebooks and the pins of the project (deno.json, deno.lock, package.json) as one zip
with RO-Crate metadata and a checksum of each file. Equal content gives equal bytes. A file with
something that looks like an API key is refused.

  --without-data    leave the store out: scores are licensed, and readers restore them with their own key
  --license URL     address of the licence (left out if it is not given)
  --creator NAME    who made it (left out if it is not given)
  --name NAME       name of the study (default: its folder)
  --json            the result as JSON

  ${commandLine()} study export momentum.zip momentum --without-data --license https://spdx.org/licenses/MIT`,
  words: 2,
  options: {
    "without-data": { type: "boolean" },
    license: { type: "string" },
    creator: { type: "string" },
    name: { type: "string" },
  },
  run: async ({ values, words: [file, given] }, terminal) => {
    if (file === undefined) {
      throw new RangeError(
        `Cannot export: expected the path of the zip, got none; see ${commandLine()} study export --help`,
      );
    }
    const folder = await studyFolder(given);
    const { license, creator } = values as { readonly license?: string; readonly creator?: string };
    const exported = await exportStudy(folder, file, {
      withoutData: values["without-data"] === true,
      name: (values.name as string | undefined) ?? basename(folder),
      ...(license !== undefined && { license }),
      ...(creator !== undefined && { creator }),
    });
    if (values.json === true) terminal.out(JSON.stringify(exported));
    else terminal.out(`${file}: ${exported.files} files, ${sizeText(exported.sizeBytes)}`);
    return 0;
  },
};
