import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../helpers/source_files.ts";

/** What the script of the page on the format says of a study, and whether it finds nothing. */
export interface PageVerdict {
  readonly isSound: boolean;
  readonly says: string;
}

/** The Python script of the page on the format. */
export async function pageScript(): Promise<string> {
  const page = await readFile(join(ROOT, "docs/studies.md"), "utf8");
  return /^### In Python$[^]*?```python\n([^]*?)```/m.exec(page)![1]!;
}

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
  const place = await mkdtemp(join(tmpdir(), "scoreframe-page-"));
  try {
    const script = join(place, "study_hashes.py");
    await writeFile(script, await pageScript());
    const options = { maxBuffer: 1 << 26 };
    const asked = promisify(execFile)("python3", ["-c", RUN, script], options);
    asked.child.stdin!.end(JSON.stringify(folders));
    return JSON.parse((await asked).stdout);
  } finally {
    await rm(place, { recursive: true });
  }
}
