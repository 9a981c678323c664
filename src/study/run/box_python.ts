import { tmpdir } from "node:os";
import { ScoreframeError } from "../../base/errors.ts";
import { runProgram } from "../../base/runtime/programs.ts";
import { environmentOf } from "./box_folder.ts";

/** The Python of the box. */
export interface Python {
  /** Its own path, not that of a script that looks for it. */
  readonly program: string;
  /** Folders beside Python's own that have its packages. */
  readonly packages: readonly string[];
  /** The paths that it reads: its library without installed packages, and pyzmq. */
  readonly reads: readonly string[];
  /** Folders that it searches, which may be projects of the user's: what the box must not show. */
  readonly searched: readonly string[];
}

// The first python3 on the PATH may not be the one with Jupyter.
const PYTHONS = ["python3", "/usr/bin/python3"];

// Isolated, Python leaves out the user's own packages too, where pip installs Jupyter.
const FIND = `
import json, os, site, sys, sysconfig
own = site.getusersitepackages()
sys.path.append(own)
import ctypes, zmq
reads, folder = [], os.path.dirname(zmq.__file__)
reads += [folder, os.path.join(os.path.dirname(folder), "pyzmq.libs"), os.path.join(sys.prefix, "pyvenv.cfg")]
for name in ("stdlib", "platstdlib"):
    library = sysconfig.get_path(name)
    reads += [os.path.join(library, it) for it in os.listdir(library) if it not in ("site-packages", "dist-packages")]
program = sys.executable
while os.path.islink(program):
    reads.append(program)
    program = os.path.normpath(os.path.join(os.path.dirname(program), os.readlink(program)))
reads.append(program)
if sys.platform == "linux":
    with open("/proc/self/maps") as maps:
        libraries = {line.split(maxsplit=5)[5].strip() for line in maps if len(line.split()) > 5}
    for library in sorted(it for it in libraries if ".so" in it and os.path.isfile(it)):
        folder = os.path.dirname(library)
        reads += [it.path for it in os.scandir(folder) if ".so" in it.name and os.path.realpath(it.path) == library]
else:
    reads.append(sys.base_prefix)
searched = [it for it in sys.path if os.path.isdir(it)]
print(json.dumps({"program": sys.executable, "packages": [own], "reads": reads, "searched": searched}))
`;

/**
 * Finds a Python that can speak to a kernel.
 *
 * @throws {ScoreframeError} If none has pyzmq
 */
export async function findPython(): Promise<Python> {
  for (const program of PYTHONS) {
    const env = environmentOf(tmpdir());
    const found = await runProgram(program, ["-I", "-c", FIND], { env }).catch(() => null);
    if (found?.code === 0) return JSON.parse(found.out);
  }
  throw new ScoreframeError(
    "Cannot run the notebooks: expected a python3 with pyzmq, as Jupyter has it, got none; install it (Debian: " +
      "apt-get install python3-zmq; elsewhere: pip install pyzmq)",
  );
}
