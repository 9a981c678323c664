/**
 * Installs what the tests need beside npm packages: `deno run -A .ci/prepare_machine.ts`.
 *
 * Programs come from Debian's packages, Python packages go into virtual environments in `.scoreframe`. What is there
 * stays as it is. `SCOREFRAME_TEST_SETUP=no` installs nothing. Without a program, its tests are skipped with a line that
 * says so; in continuous integration they fail.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const ROOT = join(import.meta.dirname!, "..");

/** A program of the system that tests start. */
interface Program {
  readonly name: string;
  /** The tests that are skipped without it. */
  readonly tests: string;
  readonly packages: readonly string[];
  readonly isThere: () => boolean;
}

const PROGRAMS: readonly Program[] = [
  {
    name: "Python 3 with venv",
    tests: "Jupyter, Schemathesis, alphalens and the engines",
    packages: ["python3", "python3-venv"],
    isThere: () => succeeds("python3", ["-c", "import ensurepip, venv"]),
  },
  {
    name: "Jupyter",
    tests: "notebooks and the kernel",
    packages: ["jupyter-nbconvert", "python3-nbclient", "python3-jupyter-client"],
    isThere: () => succeeds("/usr/bin/python3", ["-c", "import nbclient, nbconvert"]),
  },
  {
    name: "Chromium",
    tests: "pages and pictures in a browser",
    packages: ["chromium"],
    isThere: () =>
      ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .some((path) => existsSync(path)) || process.env["SCOREFRAME_CHROMIUM"] !== undefined,
  },
  {
    name: "Poppler",
    tests: "charts as PDF",
    packages: ["poppler-utils"],
    isThere: () => succeeds("pdfinfo", ["-v"]),
  },
  {
    name: "nginx, HAProxy, Caddy and systemd-analyze",
    tests: "a relay behind a proxy, and its unit",
    packages: ["nginx-light", "haproxy", "caddy", "systemd"],
    isThere: () =>
      succeeds("nginx", ["-v"]) && succeeds("haproxy", ["-v"]) && succeeds("caddy", ["version"]) &&
      succeeds("systemd-analyze", ["--version"]),
  },
  {
    name: "bubblewrap",
    tests: "the box that it makes",
    packages: ["bubblewrap"],
    isThere: () => succeeds("bwrap", ["--version"]),
  },
  {
    name: "Java",
    tests: "Spark",
    packages: ["default-jre-headless"],
    isThere: () => succeeds("java", ["-version"]),
  },
];

/** A virtual environment with the packages of one file of requirements. */
interface Environment {
  readonly folder: string;
  readonly requirements: string;
  readonly tests: string;
}

const ENVIRONMENTS: readonly Environment[] = [
  {
    folder: ".scoreframe/venv",
    requirements: ".ci/requirements.txt",
    tests: "Schemathesis, alphalens, DuckDB, Spark and Dask",
  },
  {
    // The validator needs another version of a package than Schemathesis.
    folder: ".scoreframe/crate",
    requirements: ".ci/crate_requirements.txt",
    tests: "the validation of exported studies",
  },
  {
    folder: ".scoreframe/sbom",
    requirements: ".ci/sbom_requirements.txt",
    tests: "the validation of the bill of materials",
  },
  {
    folder: ".scoreframe/lab",
    requirements: ".ci/lab_requirements.txt",
    tests: "a sheet in JupyterLab",
  },
];

if (process.env["SCOREFRAME_TEST_SETUP"] === "no") {
  say("SCOREFRAME_TEST_SETUP=no: nothing is installed; tests of missing programs are skipped");
} else {
  const missing = PROGRAMS.filter((program) => !program.isThere());
  const [python, ...others] = PROGRAMS;
  // Each of them waits for the network, and most need only Python of the others.
  if (missing.includes(python!)) await installPrograms([python!]);
  await Promise.all([
    installPrograms(missing.filter((program) => others.includes(program))),
    ...ENVIRONMENTS.map(fillEnvironment),
  ]);
}

/** One call of apt-get for all of them; whatever stays missing is told with its tests. */
async function installPrograms(missing: readonly Program[]): Promise<void> {
  if (missing.length === 0) return;
  const packages = missing.flatMap((program) => program.packages);
  const names = missing.map((program) => program.name).join(", ");
  if (succeeds("apt-get", ["--version"])) {
    say(
      `Installing ${names} for the tests (apt-get install ${
        packages.join(" ")
      }), this time only; ` +
        "SCOREFRAME_TEST_SETUP=no does without",
    );
    const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
    const apt = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    const install = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
    if (await run([...apt, "update", "-qq"])) await run([...apt, ...install]);
  }
  for (const program of missing.filter((one) => !one.isThere())) {
    say(
      `Cannot install ${program.name}: tests of ${program.tests} are skipped; install ` +
        `${program.packages.join(", ")} or what your system calls it`,
    );
  }
}

/** Made where it is missing; filled again where its requirements changed. */
async function fillEnvironment({ folder, requirements, tests }: Environment): Promise<void> {
  const seal = createHash("sha256").update(readFileSync(join(ROOT, requirements))).digest("hex");
  const sealed = join(ROOT, folder, "requirements.sha256");
  if (existsSync(sealed) && readFileSync(sealed, "utf8") === seal) return;
  say(`Installing ${tests} into ${folder} (pip install -r ${requirements}), this time only`);
  const python = join(ROOT, folder, "bin/python");
  const isMade = existsSync(python) || await run(["python3", "-m", "venv", join(ROOT, folder)]);
  // Modules are compiled when a test imports them: half of the processor's time of an installation.
  const quick = ["-q", "--no-compile", "--disable-pip-version-check"];
  const pip = ["-m", "pip", "install", ...quick, "-r", requirements];
  if (isMade && await run([python, ...pip])) return writeFileSync(sealed, seal);
  say(`Cannot install ${requirements}: tests of ${tests} are skipped`);
}

function run([program, ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(program!, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (status) => resolve(status === 0));
  });
}

function succeeds(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
