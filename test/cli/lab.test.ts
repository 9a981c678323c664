import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../helpers/source_files.ts";

const run = promisify(execFile);

describe("lab", () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "scoreframe-lab-"));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  function lab(...args: string[]) {
    // A PATH without jupyter; the cache folder stays, so that nothing is downloaded again.
    const env = { HOME: home, PATH: home, DENO_DIR: process.env["DENO_DIR"] ?? "" };
    return run(Deno.execPath(), ["run", "-A", "src/cli/main.ts", "lab", ...args], {
      cwd: ROOT,
      env,
    })
      .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }))
      .catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
  }

  test("installs a kernel that starts this Deno", async () => {
    const { code, stdout } = await lab("--no-open");
    expect(code).toBe(0);
    expect(stdout).toContain('Installed the kernel "scoreframe (Deno)"');
    const spec = join(home, ".local/share/jupyter/kernels/scoreframe/kernel.json");
    const { argv, display_name: title } = JSON.parse(await readFile(spec, "utf8"));
    expect(argv.slice(0, 2)).toEqual([Deno.execPath(), "jupyter"]);
    expect(title).toBe("scoreframe (Deno)");
  });

  test("says what is missing and how to get it", async () => {
    const { code, stderr } = await lab();
    expect(code).toBe(1);
    expect(stderr).toContain(
      "Cannot open the notebooks: expected JupyterLab or Jupyter Notebook, got neither",
    );
    expect(stderr).toContain("pipx install jupyterlab");
  });

  test("explains itself, and refuses an option that it does not know with exit code 2", async () => {
    expect((await lab("--help")).stdout).toContain(
      "usage: deno task lab [--no-open] [-- OPTIONS OF JUPYTER]",
    );
    const { code, stderr } = await lab("--nonsense");
    expect(code).toBe(2);
    expect(stderr).toContain(
      "Cannot use the options: expected one of --no-open, --help, got --nonsense\n",
    );
  });
});
