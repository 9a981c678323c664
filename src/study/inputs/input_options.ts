import { FLAG, type OptionRules } from "../../base/arguments/check_options.ts";

/** Options of `study.input()`. */
export interface InputOptions {
  /**
   * Pins the file anew if it changed since it was pinned.
   *
   * @default false
   */
  readonly repin?: boolean;
}

/** Rules of {@link InputOptions}. */
export const INPUT_RULES: OptionRules<InputOptions> = { repin: FLAG };
