import { main } from "../../../src/app/cli/main.ts";

/** How a command ended, and what it said. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command line in this process. */
export async function runMain(...args: readonly string[]): Promise<Ended> {
  const out: string[] = [];
  const error: string[] = [];
  const code = await main([...args], {
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
  });
  return { code, out: out.join("\n"), error: error.join("\n") };
}
