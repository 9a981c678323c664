import { AccessError } from "../../../base/errors.ts";
import type { ExchangeRequest } from "../exchange.ts";

/** Memory of a refused key, which must not be sent again unchanged (section 5, rule 6). */
export class RefusedKey {
  #refusal: AccessError | null = null;

  /** True if the key was refused. */
  get isKnown(): boolean {
    return this.#refusal !== null;
  }

  /** Forgets the refusal, when there is another key or the same one may be tried again. */
  forget(): void {
    this.#refusal = null;
  }

  /** Notes the error of a request. */
  learn(error: Error): void {
    if (error instanceof AccessError && error.code === "unauthorized") this.#refusal = error;
  }

  /**
   * Refuses a request after the key was refused.
   *
   * @throws {AccessError} If the key was refused
   */
  assertNot({ action }: Pick<ExchangeRequest, "action">): void {
    const refusal = this.#refusal;
    if (refusal === null) return;
    throw new AccessError(
      `Cannot ${action}: the service refused this key earlier (401 unauthorized; request ` +
        `${refusal.requestId}); nothing was sent; connect() with another key`,
      refusal,
    );
  }
}
