import { AccessError } from "../../errors.ts";
import type { ExchangeRequest } from "../exchange.ts";

/** True if the service refused the key of a connection: it must not be tried again unchanged (section 5, rule 6). */
export class RefusedKey {
  #refusal: AccessError | null = null;

  /** True if it was refused. */
  get isKnown(): boolean {
    return this.#refusal !== null;
  }

  /** Learns what a request failed with. */
  learn(error: Error): void {
    if (error instanceof AccessError && error.code === "unauthorized") this.#refusal = error;
  }

  /**
   * Stands before a request that is about to be sent.
   *
   * @throws {AccessError} If the key was refused
   */
  assertNot({ action }: Pick<ExchangeRequest, "action">): void {
    const refusal = this.#refusal;
    if (refusal === null) return;
    throw new AccessError(
      `Cannot ${action}: the service refused this key before (401 unauthorized; request ` +
        `${refusal.requestId}); nothing was sent; connect() with another key`,
      refusal,
    );
  }
}
