/** Documentation of a verb, a function or a result, taken from the code. */
export interface HelpEntry {
  /** `api.panel`, `show` or `FactorAnalysis`. */
  readonly name: string;
  /** Its entry point, such as `scoreframe/analysis`. */
  readonly module: string;
  /** Kind; a result of a function has members instead of options. */
  readonly kind: "verb" | "function" | "result";
  /** `api.panel(factors, options)`. */
  readonly call: string;
  /** Description in paragraphs. */
  readonly text: string;
  /** Arguments before the options, and what each is: a frame with its columns, a name, a path. */
  readonly inputs: readonly {
    readonly name: string;
    readonly text: string;
  }[];
  /** Options; members of a result. */
  readonly options: readonly {
    /** Its name, with a question mark if it is optional. */
    readonly name: string;
    /** Its type. */
    readonly type: string;
    /** Description. */
    readonly text: string;
    /** Default; `null` if none is documented. */
    readonly default: string | null;
  }[];
  /** Return type, without its promise; `null` for none. */
  readonly type: string | null;
  /** Return value. */
  readonly returns: string | null;
  /** Sources: papers with their year, sections of the API document. */
  readonly sources: readonly string[];
  /** Errors that it throws, each with its reason. */
  readonly throws: readonly string[];
  /** Code that can be run. */
  readonly example: string | null;
}

/** An option of a verb or a function, or a member of a result. */
export type HelpOption = HelpEntry["options"][number];
