import type { ReadRefusal } from "./refusal.ts";

/** Why an answer cannot be used; never leaves the transport layer. */
export class AttemptProblem extends Error {
  override readonly name = "AttemptProblem";
  /** True if another attempt may do better. */
  readonly isTemporary: boolean;

  /**
   * @param message Expectation and finding, to stand behind "Cannot <action>: "
   * @param isTemporary True if another attempt may do better
   */
  constructor(message: string, isTemporary = false) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

/** The service refused; never leaves the transport layer. */
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
