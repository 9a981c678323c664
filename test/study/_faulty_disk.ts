/** The disk of a test, whose operations are counted: from one on they end the run, or one of them fails. */
export interface FaultyDisk {
  /** Operations so far. */
  count: number;
  /** From this operation on nothing is done any more: the process was killed. */
  killedAt: number;
  /** This operation fails, as on a disk that is full, over quota, or lost. */
  failsAt: number;
}

// As `node:fs` of Deno tells of errors whose numbers it does not know.
const ERRORS = [[122, "EDQUOT"], [5, "EIO"], [116, "ESTALE"], [28, "ENOSPC"]] as const;
const CHANGES = [
  "link",
  "rename",
  "unlink",
  "rm",
  "rmdir",
  "mkdir",
  "mkdtemp",
  "writeFile",
  "utimes",
];
const OF_HANDLES = ["write", "writeFile", "sync"];

/** Counts an operation, and throws if it is not done. */
function step(disk: FaultyDisk, name: string): void {
  const number = disk.count++;
  if (number >= disk.killedAt) throw new Error("the run was killed");
  if (number !== disk.failsAt) return;
  const [errno, said] = ERRORS[number % ERRORS.length]!;
  throw Object.assign(new Error(`UNKNOWN: unknown error (${said}), ${name} (os error ${errno})`), {
    code: "UNKNOWN",
    errno: -errno,
    syscall: name,
  });
}

type Functions = Record<string, (...args: never[]) => unknown>;

/** The functions of `node:fs/promises` that change a disk, through a faulty one. */
export function throughFaults(disk: FaultyDisk, original: object): object {
  const real = original as Functions;
  const counted = Object.fromEntries(CHANGES.map((name) => [name, async (...args: never[]) => {
    step(disk, name);
    return await real[name]!(...args);
  }]));
  const open = async (...args: never[]) => {
    const [, flags = "r"] = args as readonly unknown[];
    if (flags === "r") return await real.open!(...args);
    step(disk, "open");
    const handle = await real.open!(...args) as Functions;
    for (const name of OF_HANDLES) {
      const work = handle[name]!.bind(handle);
      Object.assign(handle, {
        [name]: async (...given: never[]) => {
          step(disk, name);
          return await work(...given);
        },
      });
    }
    return handle;
  };
  return { ...original, ...counted, open };
}

/** `rmSync` of `node:fs`, which clean-ups use, through a faulty disk. */
export function removesThroughFaults(disk: FaultyDisk, original: object): object {
  const real = original as Functions;
  const rmSync = (...args: never[]) => {
    step(disk, "rmSync");
    return real.rmSync!(...args);
  };
  return { ...original, rmSync };
}
