import { oneOf, type OptionRules } from "../base/arguments/check_options.ts";
import { CONNECT_RULES, type ConnectOptions } from "../client/connect_options.ts";
import { INSTANT, type InstantInput } from "../client/verb/instant_input.ts";
import { describe } from "../base/contract/violation.ts";

/** Options of `openStudy()`; all but the first two are those of `connect()`. */
export interface StudyOptions extends Omit<ConnectOptions, "store"> {
  /**
   * The study's time: it contains nothing that was not known by then. The mode `update` moves the study to this time; in any
   * other mode it must equal the time of the study.
   *
   * @default the service's time at the first load
   */
  readonly asOf?: InstantInput;
  /**
   * `auto` answers loads in the lock from the store, and loads and adds any other. `frozen` sends nothing: a load that is not
   * in the lock is an error. `update` moves the study's time.
   *
   * @default the environment variable SCOREFRAME_STUDY_MODE; without it `frozen` where CI is `true`, else `auto`
   */
  readonly mode?: "auto" | "frozen" | "update";
}

/** Loads that a study allows: those missing from its lock (`auto`), none (`frozen`), or all of them at a new time (`update`). */
export type StudyMode = NonNullable<StudyOptions["mode"]>;

const { store: _, ...OTHER_RULES } = CONNECT_RULES;
const MODES = ["auto", "frozen", "update"] as const;
/** Accepted options of a study. */
export const STUDY_RULES: OptionRules<StudyOptions> = {
  ...OTHER_RULES,
  asOf: INSTANT,
  mode: oneOf(...MODES),
};

/**
 * The mode of a run.
 *
 * @throws {TypeError} If the environment variable has an unknown value
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
    `Cannot open the study: expected SCOREFRAME_STUDY_MODE to be one of ${MODES.join(", ")}, ` +
      `got ${describe(given)}; set one of these, or unset it`,
  );
}
