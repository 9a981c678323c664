import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";

/** Machine that `doctor` checks; injected for tests. */
export interface Machine {
  /** Environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version of Deno, or `null` under another runtime. */
  readonly denoVersion: string | null;
  /** The time, epoch milliseconds. */
  readonly now: () => number;
  /** Tests if the runtime has a permission. */
  readonly hasPermission: (name: Deno.PermissionName) => Promise<boolean>;
  /** Runs a program and returns its output; `null` if it is missing or fails. */
  readonly run: (command: string, args: readonly string[]) => Promise<string | null>;
}

const RUN_TIMEOUT_MS = 20_000;

/** The machine of this process. */
export function thisMachine(): Machine {
  const run = promisify(execFile);
  return {
    environment: process.env,
    denoVersion: globalThis.Deno?.version.deno ?? null,
    now: Date.now,
    hasPermission: async (name) =>
      (await Deno.permissions.query({ name } as Deno.PermissionDescriptor)).state === "granted",
    run: (command, args) =>
      run(command, args, { timeout: RUN_TIMEOUT_MS }).then(
        ({ stdout }) => stdout.trim(),
        () => null,
      ),
  };
}
