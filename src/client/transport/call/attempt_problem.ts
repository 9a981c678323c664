import type { ReadRefusal } from "./refusal.ts";

/** Error for an unusable answer; never leaves the transport layer. */
export class AttemptProblem extends Error {
  override readonly name = "AttemptProblem";
  /** True if another attempt may succeed. */
  readonly isTemporary: boolean;

  /**
   * @param message Expectation and finding, to follow "Cannot <action>: "
   * @param isTemporary True if another attempt may succeed
   */
  constructor(message: string, isTemporary = false) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

/** Error for a refusal of the service; never leaves the transport layer. */
export class AttemptRefused extends Error {
  override readonly name = "AttemptRefused";
  /** The answer. */
  readonly refusal: ReadRefusal;

  /** @param refusal The answer */
  constructor(refusal: ReadRefusal) {
    super(`refused with ${refusal.status}`);
    this.refusal = refusal;
  }
}
