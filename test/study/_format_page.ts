import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../helpers/source_files.ts";

/** What the script of the page on the format says of a study, and whether it finds nothing. */
export interface PageVerdict {
  readonly isSound: boolean;
  readonly says: string;
}

/** The Python script of the page on the format. */
export const PAGE_SCRIPT = join(ROOT, "docs/python/study_hashes.py");

// One process for all, since a start takes longer than a study.
const RUN = `
import contextlib, io, json, runpy, sys
script, found = sys.argv[1], {}
for folder in json.load(sys.stdin):
    sys.argv = [script, folder]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(script, run_name="__main__")
    except SystemExit as error:
        found[folder] = {"isSound": error.code == 0, "says": said.getvalue() + str(error.code)}
    except Exception as error:
        found[folder] = {"isSound": False, "says": repr(error)}
print(json.dumps(found))
`;

/** Runs the script of the page over studies. */
export async function pageVerdicts(
  folders: readonly string[],
): Promise<Readonly<Record<string, PageVerdict>>> {
  const options = { maxBuffer: 1 << 26 };
  const asked = promisify(execFile)("python3", ["-c", RUN, PAGE_SCRIPT], options);
  asked.child.stdin!.end(JSON.stringify(folders));
  return JSON.parse((await asked).stdout);
}
