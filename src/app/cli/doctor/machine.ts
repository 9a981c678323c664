import process from "node:process";
import { runProgram } from "../../../base/runtime/programs.ts";

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

const MARKS = { good: "ok     ", limited: "limited", broken: "broken " } as const;

/** The machine of this process. */
export function thisMachine(): Machine {
  return {
    environment: process.env,
    denoVersion: globalThis.Deno?.version.deno ?? null,
    now: Date.now,
    hasPermission: async (name) =>
      (await Deno.permissions.query({ name } as Deno.PermissionDescriptor)).state === "granted",
    run: (command, args) =>
      runProgram(command, args, { timeoutMs: RUN_TIMEOUT_MS }).then(
        ({ code, out }) => code === 0 ? out.trim() : null,
        () => null,
      ),
  };
}

/** Result of one check. */
export interface DoctorFinding {
  /** Subject of the check. */
  readonly subject: string;
  /** State; `limited` means that some of it does not work. */
  readonly state: "good" | "limited" | "broken";
  /** Observation. */
  readonly found: string;
  /** Remedy; `null` if none is needed. */
  readonly remedy: string | null;
}

/** Finding that all is well. */
export function good(subject: string, found: string): DoctorFinding {
  return { subject, state: "good", found, remedy: null };
}

/** Finding that only a part works. */
export function limited(subject: string, found: string, remedy: string): DoctorFinding {
  return { subject, state: "limited", found, remedy };
}

/** Finding that keeps the library from working. */
export function broken(subject: string, found: string, remedy: string): DoctorFinding {
  return { subject, state: "broken", found, remedy };
}

/** Text of a finding: one line, and one for the remedy. */
export function describeFinding({ subject, state, found, remedy }: DoctorFinding): string {
  const line = `${MARKS[state]}  ${subject}: ${found}`;
  return remedy === null ? line : `${line}\n         ${remedy}`;
}
