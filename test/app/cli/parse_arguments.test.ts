import { describe, expect, test } from "vitest";
import { parseArguments, UsageError } from "../../../src/app/cli/parse_arguments.ts";

const RULES = {
  allowPositionals: true,
  options: {
    port: { type: "string" },
    "clock-rate": { type: "string" },
    help: { type: "boolean", short: "h" },
  },
} as const;

describe("parseArguments()", () => {
  test("reads options, in short as well, and words behind them", () => {
    const { values, positionals } = parseArguments(["--port", "9", "-h", "a", "--", "--b"], RULES);
    expect({ ...values }).toEqual({ port: "9", help: true });
    expect(positionals).toEqual(["a", "--b"]);
  });

  test.each([
    ["--prt", "; did you mean --port?"],
    ["--prt=9", "; did you mean --port?"],
    ["--prot", "; did you mean --port?"],
    ["--clockrate", "; did you mean --clock-rate?"],
    ["--nonsense", ""],
    ["-x", ""],
  ])("refuses %s", (option, end) => {
    const parse = () => parseArguments([option], RULES);
    expect(parse).toThrow(
      new UsageError(
        "Cannot use the options: expected one of --port, --clock-rate, --help, " +
          `got ${option.split("=")[0]}${end}`,
      ),
    );
  });

  test("refuses words where a command takes none, and an option without its value", () => {
    const { options } = RULES;
    expect(() => parseArguments(["a"], { options })).toThrow('expected options only, got "a"');
    expect(() => parseArguments(["--port"], { options })).toThrow(
      "'--port <value>' argument missing",
    );
  });
});
