/** An option of a verb or a function, or a member of what one gives. */
export interface HelpOption {
  /** Its name, with a question mark if it may be left out. */
  readonly name: string;
  /** Its type. */
  readonly type: string;
  /** Description. */
  readonly text: string;
  /** Default; `null` if the documentation does not say. */
  readonly default: string | null;
}

/** The documentation of a verb, a function, or of what one gives, as the code has it. */
export interface HelpEntry {
  /** `api.panel`, `show` or `FactorAnalysis`. */
  readonly name: string;
  /** Its entry point, such as `scoreframe/analysis`. */
  readonly module: string;
  /** Kind; a result is what a function gives, and has members instead of options. */
  readonly kind: "verb" | "function" | "result";
  /** `api.panel(factors, options)`. */
  readonly call: string;
  /** Description in paragraphs. */
  readonly text: string;
  /** The options that it takes; of a result its members. */
  readonly options: readonly HelpOption[];
  /** Type of what it gives, behind its promise; `null` for none. */
  readonly type: string | null;
  /** Return value. */
  readonly returns: string | null;
  /** Sources: papers with their year, sections of the API document. */
  readonly sources: readonly string[];
  /** The errors that it throws, each with its reason. */
  readonly throws: readonly string[];
  /** Code that can be run. */
  readonly example: string | null;
}
