import process from "node:process";
import { visibleLine, visibleText } from "../../base/wording/visible_text.ts";

/** Output of a command; injected, so that tests can read it. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error. */
  readonly error: (line: string) => void;
}

/** A terminal that no character of what is printed acts on; {@link visibleText} says how. */
export function visibly(given: Terminal): Terminal {
  return {
    out: (text) => given.out(visibleText(text)),
    error: (text) => given.error(visibleText(text)),
  };
}

/** A terminal on which each text is one line, whatever names stand in it. */
export function byLine(given: Terminal): Terminal {
  return {
    out: (text) => given.out(visibleLine(text)),
    error: (text) => given.error(visibleLine(text)),
  };
}

/** Writes a text, and returns the exit code of success. */
export function printed({ out }: Terminal, text: string): 0 {
  out(text);
  return 0;
}

/** Lines of a help with every command and what it does. */
export function commandLines(
  commands: Readonly<Record<string, { readonly does: string }>>,
  gap: string,
): readonly string[] {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  return Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(width)}${gap}${does}`);
}

/** The process's own standard output and standard error. */
export function processTerminal(): Terminal {
  process.stdout.on("error", endQuietly);
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    error: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** Ends the process when its reader has closed the pipe, as `head` does, with the exit code of SIGPIPE. */
function endQuietly(error: Error & { readonly code?: string }): void {
  if (error.code === "EPIPE") process.exit(141);
  throw error;
}

/** Waits for SIGTERM or SIGINT; SIGHUP, at which logs are opened again, ends nothing. */
export function untilStopped(onHangUp: () => void): Promise<void> {
  process.on("SIGHUP", onHangUp);
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
