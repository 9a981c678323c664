/** Sender of a request to the service: a user, or the relay itself. */
export interface Asker {
  /** Name of the user, or of the relay. */
  readonly user: string;
  /**
   * Checks the budget before a request to the service.
   *
   * @throws {Refusal} 429 if the budget of the user is spent
   */
  assertMay(what: "request" | "download"): void;
  /** Counts a request durably, before it is sent. */
  spend(what: "request" | "download"): void;
  /** Notes the time of the proof behind the answer, epoch milliseconds by the service's clock. */
  restOn(provedAtMs: number): void;
}
