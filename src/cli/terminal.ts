import process from "node:process";

/** Where a command writes; injected, so that tests can read it. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error. */
  readonly error: (line: string) => void;
}

/** The process's own standard output and standard error. */
export function processTerminal(): Terminal {
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    error: (line) => void process.stderr.write(`${line}\n`),
  };
}
