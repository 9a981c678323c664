/** Somebody for whom the service is asked. */
export interface Asker {
  /** Name of the user; the relay's own for what it asks by itself. */
  readonly user: string;
  /**
   * Stands before a question to the service.
   *
   * @throws {Refusal} 429 if the budget of the user is spent
   */
  assertMay(what: "request" | "download"): void;
  /** Counts a request that is about to be sent, durably. */
  spend(what: "request" | "download"): void;
  /** Notes when the proof on which the answer rests was given, epoch milliseconds by the service's clock. */
  restOn(provedAtMs: number): void;
}
