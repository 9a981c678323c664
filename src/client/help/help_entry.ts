/** An option of a verb or a function. */
export interface HelpOption {
  /** Its name, with a question mark if it may be left out. */
  readonly name: string;
  /** Its type. */
  readonly type: string;
  /** What it does. */
  readonly text: string;
  /** What holds without it; `null` if the documentation does not say. */
  readonly default: string | null;
}

/** The documentation of a verb or a function, as the code has it. */
export interface HelpEntry {
  /** `api.panel` or `show`. */
  readonly name: string;
  /** `api.panel(factors, options)`. */
  readonly call: string;
  /** What it does, in paragraphs. */
  readonly text: string;
  /** The options that it takes. */
  readonly options: readonly HelpOption[];
  /** What it gives. */
  readonly returns: string | null;
  /** The errors that it throws, each with its reason. */
  readonly throws: readonly string[];
  /** Code that can be run. */
  readonly example: string | null;
}
