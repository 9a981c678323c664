import { setImmediate as settled } from "node:timers/promises";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { FactorAnalysis } from "../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../src/analysis/judgement/judgement.ts";

/** A function that a cell of a notebook calls with whatever it likes: no compiler looks there. */
export type Anything = (...given: unknown[]) => unknown;

/** A module or an object of which a cell calls what it likes. */
export type Cell = Readonly<Record<string, Anything>>;

/** The call, and the words that answer it: of its error, or of the sentence that its result says. */
export type Mistake = readonly [run: () => unknown, says: string];

// Fewer letters say nothing that a message could not have by chance.
const LEAST_WORDS = 12;
const MAX_MESSAGE = 2000;

/**
 * A table of mistakes by what was typed, a test each. Its rows stand as literals in the call, for {@link countMistakes} of `count.test.ts`.
 * What a row runs throws an error of the library, or gives something that says the words: an analysis (its judgement), an
 * aligned (its losses), a report, a text. Notices count as said; a frame says nothing.
 */
export function mistakes(name: string, rows: Readonly<Record<string, Mistake>>): void {
  describe(name, () => {
    test.each(Object.entries(rows))("%s", async (_typed, [run, says]) => {
      expect(says.length).toBeGreaterThanOrEqual(LEAST_WORDS);
      expect(await sentenceOf(run)).toContain(says);
    });
  });
}

/** The message of the error that a call must throw. */
export async function messageOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    return messageIn(error);
  }
  throw new Error("an error is required");
}

/** What a call says: the message of its error, or the sentences of what it gives. */
export async function sentenceOf(run: () => unknown): Promise<string> {
  const notices: string[] = [];
  const listen = ({ name, message }: Error) => {
    if (name === "ScoreframeNotice") notices.push(message);
  };
  process.on("warning", listen);
  try {
    const given = await run();
    await settled();
    const said = [...notices, textOf(given)].join("\n").trim();
    if (said === "") throw new Silence(`nothing was said of ${typeof given}`);
    return said;
  } catch (error) {
    if (error instanceof Silence) throw error;
    return messageIn(error);
  } finally {
    process.off("warning", listen);
  }
}

class Silence extends Error {}

// Errors of JavaScript and Polars that came through: none of them says what to do.
const RAW =
  /is not a function|is not iterable|not a constructor|Cannot (read|set) propert|Cannot destructure|Cannot convert (undefined|an object)|ENOENT|EISDIR|PLAN|napi/;

function messageIn(error: unknown): string {
  const { message } = error as Error;
  expect(error).toBeInstanceOf(Error);
  expect(message).not.toMatch(RAW);
  expect(message).toMatch(/^Cannot |^Interrupted|: /);
  expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE);
  return message;
}

function textOf(given: unknown): string {
  if (typeof given === "string") return given;
  if (given instanceof FactorAnalysis) return String(judgement(given));
  if (typeof given !== "object" || given === null) return "";
  if ("loss" in given) return String(given.loss);
  if ("columns" in given) return "";
  const text = String(given);
  return text.startsWith("[object") ? "" : text;
}
