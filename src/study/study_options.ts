import { ANY_VALUE, checkOptions, oneOf, type OptionRules } from "../arguments/check_options.ts";
import { CONNECT_RULES, type ConnectOptions } from "../client/connect_options.ts";
import type { InstantInput } from "../client/verb/instant_input.ts";
import { describe } from "../contract/violation.ts";

/** Whether a study may load: what is missing (`auto`), nothing (`frozen`), or everything of its time anew (`update`). */
export type StudyMode = "auto" | "frozen" | "update";

/** How a study is opened; all but the first two options are those of `connect()`. */
export interface StudyOptions extends Omit<ConnectOptions, "store"> {
  /**
   * The study's time: nothing in it knows more. In the mode `update` it moves the study there, in any other it must be the
   * time that the study has.
   *
   * @default the service's time at the first load
   */
  readonly asOf?: InstantInput;
  /**
   * `auto` answers what the lock has from the store, and loads and adds anything else. `frozen` sends nothing: what the
   * lock does not have is an error. `update` moves the study's time.
   *
   * @default the environment variable SCOREFRAME_STUDY_MODE; without it `frozen` where CI is `true`, else `auto`
   */
  readonly mode?: StudyMode;
}

const { store: _, ...OTHER_RULES } = CONNECT_RULES;
const MODES = ["auto", "frozen", "update"] as const;
const RULES: OptionRules<StudyOptions> = {
  ...OTHER_RULES,
  asOf: ANY_VALUE,
  mode: oneOf(...MODES),
};

/** Refuses options that `openStudy()` does not have. */
export function checkStudyOptions(options: StudyOptions): void {
  checkOptions("openStudy()", options, RULES);
}

/**
 * The mode of a run.
 *
 * @throws {TypeError} If the environment names another one
 */
export function modeOf(
  { mode }: Pick<StudyOptions, "mode">,
  environment: Readonly<Record<string, string | undefined>>,
): StudyMode {
  if (mode !== undefined) return mode;
  const { SCOREFRAME_STUDY_MODE: given = "", CI } = environment;
  if (given === "") return CI === "true" ? "frozen" : "auto";
  const known = MODES.find((name) => name === given);
  if (known !== undefined) return known;
  throw new TypeError(
    `Cannot open the study: expected SCOREFRAME_STUDY_MODE to be one of ${MODES.join(", ")}, got ${
      describe(given)
    }; set one of them, or none`,
  );
}
