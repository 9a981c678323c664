import { spawn } from "node:child_process";
import { ScoreframeError } from "../../base/errors.ts";

/** Result of `ssh-keygen`. */
export interface KeygenResult {
  /** Its exit code. */
  readonly code: number;
  /** Its output. */
  readonly out: string;
  /** Its error output. */
  readonly error: string;
}

const LONGEST_MS = 120_000;

/**
 * Runs OpenSSH's `ssh-keygen` with a text as its input; it asks for passphrases at the terminal itself.
 *
 * @throws {ScoreframeError} If it is not installed
 */
export async function sshKeygen(args: readonly string[], input: string): Promise<KeygenResult> {
  const child = spawn("ssh-keygen", args, {
    stdio: ["pipe", "pipe", "pipe"],
    timeout: LONGEST_MS,
  });
  const [out, error]: [string[], string[]] = [[], []];
  child.stdout.on("data", (piece) => out.push(String(piece)));
  child.stderr.on("data", (piece) => error.push(String(piece)));
  // It may end before it has read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (ended) => resolve(ended ?? 1));
  }).catch((cause) => {
    throw new ScoreframeError(
      "Cannot sign or check a signature: expected ssh-keygen of OpenSSH 8.1 or later on the PATH, got none; install it " +
        "(Debian: apt-get install openssh-client)",
      { cause },
    );
  });
  return { code, out: out.join(""), error: error.join("") };
}
