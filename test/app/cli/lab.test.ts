import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enableDeno } from "../../../src/app/cli/lab.ts";
import { ROOT } from "../../helpers/source_files.ts";

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
    return run(Deno.execPath(), ["run", "-A", "src/app/cli/main.ts", "lab", ...args], {
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

  test("writes the entry for deno lsp, whose program starts", async () => {
    const { stdout } = await lab("--no-open");
    const file = join(home, ".jupyter/jupyter_server_config.d/scoreframe_deno_lsp.json");
    expect(stdout).toContain(`Wrote the entry for "deno lsp" to ${file}`);
    const { LanguageServerManager: { language_servers: { deno } } } = JSON.parse(
      await readFile(file, "utf8"),
    );
    expect(deno.argv).toEqual([
      ...[Deno.execPath(), "run", "--quiet", "-A"],
      join(ROOT, "src/app/cli/serve_cells.ts"),
    ]);
    // JupyterLab calls the cells of Deno's kernel so.
    expect(deno.languages).toContain("x.typescript");
    expect(stdout).toContain('Found "deno.enable" in');
  });

  test("installs jupyterlab-lsp with the Python of the jupyter-lab on the path", async () => {
    const bin = await mkdtemp(join(home, "bin-"));
    const python = join(bin, "python3");
    await writeFile(join(bin, "jupyter-lab"), `#!${python}\nimport jupyterlab\n`);
    const installed = async (body: string) => {
      await writeFile(python, `#!/bin/sh\n${body}\n`);
      await chmod(python, 0o755);
      const env = { HOME: home, PATH: bin, DENO_DIR: process.env["DENO_DIR"] ?? "" };
      const args = ["run", "-A", "src/app/cli/main.ts", "lab", "--no-open"];
      return (await run(Deno.execPath(), args, { cwd: ROOT, env })).stdout;
    };
    expect(await installed("exit 0")).toContain(`Found jupyterlab-lsp beside ${python}`);
    expect(await installed('[ "$1" = -m ] && echo "$@" > "$0.log"')).toContain(
      `Installed jupyterlab-lsp==5.2.0 with ${python}`,
    );
    expect(await readFile(`${python}.log`, "utf8")).toBe(
      "-m pip install --quiet --disable-pip-version-check jupyterlab-lsp==5.2.0\n",
    );
    const failed = await installed('echo "error: externally-managed-environment" >&2; exit 1');
    expect(failed).toContain("No completion in JupyterLab: error: externally-managed");
    expect(failed).toContain("pipx inject jupyterlab jupyterlab-lsp==5.2.0");
  });

  test("leaves JupyterLab and VS Code alone where it is told to", async () => {
    const other = await mkdtemp(join(home, "other-"));
    const env = { HOME: other, PATH: other, DENO_DIR: process.env["DENO_DIR"] ?? "" };
    const main = join(ROOT, "src/app/cli/main.ts");
    const args = ["run", "-A", main, "lab", "--no-open", "--no-completion"];
    await run(Deno.execPath(), args, { cwd: other, env });
    expect(existsSync(join(other, ".jupyter"))).toBe(false);
    expect(existsSync(join(other, ".vscode"))).toBe(false);
  });

  test("enables Deno for VS Code in a project that has no settings", async () => {
    const project = await mkdtemp(join(home, "project-"));
    expect(await enableDeno(project)).toContain("Enabled Deno for VS Code in");
    const file = join(project, ".vscode/settings.json");
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ "deno.enable": true });
    expect(await enableDeno(project)).toContain('Found "deno.enable" in');
    await writeFile(file, "{}");
    expect(await enableDeno(project)).toContain('add "deno.enable": true to');
    expect(await readFile(file, "utf8")).toBe("{}");
  });

  test("starts Jupyter without a browser where it is asked to", async () => {
    const bin = await mkdtemp(join(home, "bin-"));
    await writeFile(
      join(bin, "jupyter"),
      '#!/bin/sh\n[ "$2" = --version ] || echo "started: $@"\n',
    );
    await chmod(join(bin, "jupyter"), 0o755);
    const env = {
      HOME: home,
      PATH: `${bin}:/usr/bin:/bin`,
      DENO_DIR: process.env["DENO_DIR"] ?? "",
    };
    const args = ["run", "-A", "src/app/cli/main.ts", "lab", "--no-browser"];
    const { stdout } = await run(Deno.execPath(), args, { cwd: ROOT, env });
    expect(stdout).toMatch(/^started: \w+ --no-browser .*notebooks$/m);
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
    expect((await lab("--help")).stdout).toContain("[--no-open | --no-browser] [--no-completion]");
    const { code, stderr } = await lab("--nonsense");
    expect(code).toBe(2);
    expect(stderr).toMatch(/--no-open, --no-browser, --no-completion, --help, got --nonsense\n$/);
  });
});
