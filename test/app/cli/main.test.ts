import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../../src/app/cli/main.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { runMain } from "./_run_main.ts";

const COMMANDS = [
  ...["demo", "serve", "relay", "verify", "study", "prices", "analyse", "lab", "help", "doctor"],
];

describe("the command line", () => {
  test("lists its commands when nothing is asked", async () => {
    for (const args of [[], ["--help"], ["-h"], ["help"]]) {
      const { code, out } = await runMain(...args);
      expect(code).toBe(0);
      for (const command of COMMANDS) expect(out).toContain(`  ${command} `);
    }
  });

  test("refuses a command that it does not know, even one that every object has", async () => {
    for (const name of ["fly", "toString", "constructor"]) {
      const { code, error } = await runMain(name);
      expect(code).toBe(2);
      expect(error).toContain(
        `Cannot run a command: expected one of ${COMMANDS.join(", ")}, got "${name}"\n`,
      );
    }
    expect((await runMain("server")).error).toContain('got "server"; did you mean serve?\n');
  });

  test("prints what help() says of a function, and the nearest name", async () => {
    expect((await runMain("help", "analyzeFactor")).out).toMatch(
      /^analyzeFactor\(scores, prices, options\?\)\n/,
    );
    const { code, error } = await runMain("help", "analizeFactor");
    expect([code, error]).toEqual([2, expect.stringContaining('did you mean "analyzeFactor"')]);
  });

  test("never shows a key that stands in the place of another value", async () => {
    const key = "svc_test_in_the_wrong_place";
    for (const option of ["accounts", "port", "world", "store", "clock", "faults", key]) {
      const { code, out, error } = await runMain("serve", `--${option}`, key);
      expect([code === 0, out]).toEqual([false, ""]);
      expect(error).not.toContain("wrong_place");
    }
    expect((await runMain(key)).error).not.toContain("wrong_place");
  });

  test("tells its version, which is the one of the package, and the edition of the API document", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8"));
    for (const flag of ["--version", "-V"]) {
      expect(await runMain(flag)).toEqual({
        code: 0,
        out: `scoreframe ${version}, API document 1.2.0`,
        error: "",
      });
    }
  });

  test("explains each command as it is typed in a clone", async () => {
    for (const command of COMMANDS) {
      const { code, out } = await runMain(command, "--help");
      expect(code).toBe(0);
      expect(out).toContain(`deno task scoreframe ${command}`);
    }
  });

  test("says in one line what is wrong with an option", async () => {
    const unknown = await runMain("demo", "--sed", "8");
    expect(unknown.code).toBe(2);
    expect(unknown.error).toBe(
      "Cannot use the options: expected one of --seed, --help, got --sed; did you mean --seed?",
    );
    const value = await runMain("demo", "--seed", "many");
    expect(value.code).toBe(2);
    expect(value.error).toBe(
      'Cannot use --seed: expected a whole number from 0 to 4294967295, got "many"',
    );
  });

  test("prints an error that nobody foresaw with its stack, and ends with 1", async () => {
    const errors: string[] = [];
    const terminal = {
      out: () => {
        throw new Error("the pipe \x1b[2J is closed");
      },
      error: (line: string) => void errors.push(line),
    };
    expect(await main(["demo", "--help"], terminal)).toBe(1);
    expect(errors.join("\n")).toMatch(/^Error: the pipe \\u001b\[2J is closed\n {4}at /);
  });
});
