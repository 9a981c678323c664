import { Buffer } from "node:buffer";
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { delimiter, isAbsolute, join, parse } from "node:path";
import process from "node:process";
import { isFile } from "../disk/files.ts";

/** The end of a program. */
export interface EndedProgram {
  /** Its exit code; `null` if a signal ended it. */
  readonly code: number | null;
  /** Its standard output. */
  readonly out: string;
  /** Its standard error. */
  readonly error: string;
}

/** Options of a program that is run to its end. */
export interface RunProgramOptions {
  /**
   * Its standard input.
   *
   * @default none
   */
  readonly input?: string;
  /**
   * Time after which it is ended.
   *
   * @default none
   */
  readonly timeoutMs?: number;
  /**
   * Its environment.
   *
   * @default that of this process, without the key
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

// Programs look for code and configuration in the folder that they are started in, which may be somebody else's: Python for
// modules, Jupyter for its settings. Nobody but the administrator writes here.
const OUTSIDE = parse(process.execPath).root;

/** Absolute folders of a list of folders: what is relative means the working directory, which may be somebody else's. */
export function absoluteFolders(list: string | undefined): readonly string[] {
  return (list ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

/**
 * Starts a program in a folder where no project is, found in absolute folders of the PATH. It gets the whole environment unless
 * another one is given, so that a notebook server can hand the key to its kernels.
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { env = process.env, ...options }: SpawnOptions = {},
): Promise<ChildProcess> {
  const folders = absoluteFolders(env.PATH);
  const found = isAbsolute(command) ? command : await findProgram(command, folders);
  return spawn(found, args, {
    cwd: OUTSIDE,
    ...options,
    env: { ...env, PATH: folders.join(delimiter) },
  });
}

/**
 * Runs a program as {@link startProgram} does, but without the key.
 *
 * @throws {Error} If it cannot be started
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { input = "", timeoutMs, env }: RunProgramOptions = {},
): Promise<EndedProgram> {
  const { SCOREFRAME_API_KEY: _, ...others } = process.env;
  const child = await startProgram(command, args, {
    env: env ?? others,
    stdio: ["pipe", "pipe", "pipe"],
    ...timeoutMs !== undefined && { timeout: timeoutMs },
  });
  const [out, error]: [Uint8Array[], Uint8Array[]] = [[], []];
  child.stdout!.on("data", (piece) => out.push(piece));
  child.stderr!.on("data", (piece) => error.push(piece));
  // It may end before it has read everything.
  child.stdin!.on("error", () => {});
  child.stdin!.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, out: String(Buffer.concat(out)), error: String(Buffer.concat(error)) };
}

async function findProgram(command: string, folders: readonly string[]): Promise<string> {
  // Windows has endings of its own.
  if (process.platform === "win32") return command;
  for (const folder of folders) {
    if (await isFile(join(folder, command))) return join(folder, command);
  }
  return join(OUTSIDE, "no", command);
}
