import { describe, expect, test } from "vitest";
import {
  choice,
  command,
  flag,
  names,
  number,
  several,
  text,
  UsageError,
} from "../../../src/app/cli/command.ts";

const NOTHING = { out: () => {}, error: () => {} };

/** Values and words that a command reads. */
async function readOf(...args: readonly string[]): Promise<unknown> {
  let given: unknown = null;
  const run = command({
    usage: ["try [options] WORD"],
    about: "Tries the options.",
    options: {
      port: number("a port", { to: 65_535 }),
      "clock-rate": number("a rate", { to: 10, isWhole: false }),
      size: choice(["small", "full"], "a size"),
      host: names("hosts"),
      parameter: { ...several("NAME=VALUE", "a parameter"), short: "p" },
      "no-open": flag("install only"),
      file: text("FILE", "a file"),
    },
    words: [1, 2],
    run({ values, words }) {
      given = { values, words };
      return 0;
    },
  });
  expect(await run(args, NOTHING)).toBe(0);
  return given;
}

describe("command()", () => {
  test("reads each option by its row, and the words behind them", async () => {
    const line =
      "--port 9 --clock-rate=0.5 --size full --host a,b, -p x=1 -p y=2 --no-open w -- --z";
    expect(await readOf(...line.split(" "))).toEqual({
      values: {
        port: 9,
        "clock-rate": 0.5,
        size: "full",
        host: ["a", "b"],
        parameter: ["x=1", "y=2"],
        "no-open": true,
      },
      words: ["w", "--z"],
    });
    expect(await readOf("w")).toEqual({ values: {}, words: ["w"] });
  });

  test.each([
    ["--prt", "; did you mean --port?"],
    ["--prt=9", "; did you mean --port?"],
    ["--clockrate", "; did you mean --clock-rate?"],
    ["--nonsense", ""],
    ["-x", ""],
  ])("refuses %s", async (option, end) => {
    await expect(readOf(option)).rejects.toThrow(
      new UsageError(
        "Cannot use the options: expected one of --port, --clock-rate, --size, --host, --parameter, " +
          `--no-open, --file, --help, got ${option.split("=")[0]}${end}`,
      ),
    );
  });

  test.each([
    [
      ["w", "--port", "70000"],
      'Cannot use --port: expected a whole number from 0 to 65535, got "70000"',
    ],
    [
      ["w", "--clock-rate", "-1"],
      'Cannot use --clock-rate: expected a number from 0 to 10, got "-1"',
    ],
    [["w", "--size", "huge"], 'Cannot use --size: expected small or full, got "huge"'],
    [["w", "--file"], "Cannot use --file: expected --file <FILE>, got nothing behind it"],
    [["a", "b", "c"], 'Cannot use the arguments: expected 2 at most, got "c" beside a and b'],
  ])("refuses %j", async (args, message) => {
    await expect(readOf(...args)).rejects.toThrow(new UsageError(message));
  });

  test("prints its help, and on standard error where a word is missing", async () => {
    const said: string[] = [];
    const run = command({
      usage: ["try WORD", "try --all"],
      about: "Tries.",
      options: { all: flag("take all\nof them"), "clock-rate": number("a rate", { to: 10 }) },
      example: "  try a",
      words: [1, 1],
      run: () => 0,
    });
    const terminal = {
      out: (line: string) => said.push(line),
      error: (line: string) => said.push(`error ${line}`),
    };
    expect(await run(["-h"], terminal)).toBe(0);
    expect(await run([], terminal)).toBe(2);
    expect(said[0]).toBe(`usage: deno task scoreframe try WORD
       deno task scoreframe try --all

Tries.

  --all           take all
                  of them
  --clock-rate N  a rate
  -h, --help      this text

  try a`);
    expect(said.slice(1)).toEqual([
      "error Cannot use the arguments: expected try WORD, got 0 arguments\n",
      `error ${said[0]}`,
    ]);
  });
});
