import {
  type Exchange,
  type ExchangeRequest,
  type IfNeededOptions,
  isFileGet,
} from "../../../client/transport/exchange.ts";

/** Kind of budget that a question spends. */
export type Cost = "request" | "download";

/** Budget that is set aside for a question, so that two at once cannot spend the same request. */
export interface Reservation {
  /** Counts a request durably, before it is sent. */
  spend(what: Cost): void;
  /** Gives back what was not spent. */
  free(): void;
}

/** Sender of a request to the service: a user, or the relay itself. */
export interface Asker {
  /** Name of the user, or of the relay. */
  readonly user: string;
  /**
   * Sets a budget aside before a question to the service.
   *
   * @throws {Refusal} 429 if the budget of the user is spent
   */
  reserve(what: Cost): Reservation;
  /** Notes the time of the proof behind the answer, epoch milliseconds by the service's clock. */
  restOn(provedAtMs: number): void;
}

/** Name under which the relay counts its own requests; no user can have it. */
export const OWN_NAME = "(relay)";

/** The relay as a sender of requests, which are counted but not limited by a user's budget. */
export function ownAsker(spend: (user: string, what: Cost) => void): Asker {
  const reservation = { spend: (what: Cost) => spend(OWN_NAME, what), free: () => {} };
  return { user: OWN_NAME, reserve: () => reservation, restOn: () => {} };
}

/** The account's exchange, counting each request for its sender. */
export function meteredExchange(exchange: Exchange, reservation: Reservation): Exchange {
  // Called once for each attempt, just before it is sent.
  const counting = (request: ExchangeRequest, options: IfNeededOptions = {}): IfNeededOptions => ({
    ...options,
    isNeeded: async () => {
      const needed = await (options.isNeeded?.() ?? true);
      if (needed) reservation.spend(isFileGet(request) ? "download" : "request");
      return needed;
    },
  });
  return {
    origin: exchange.origin,
    send: async (request, options) =>
      (await exchange.sendIfNeeded(request, counting(request, options)))!,
    sendIfNeeded: (request, options) => exchange.sendIfNeeded(request, counting(request, options)),
    open: (request, options) => exchange.open(request, counting(request, options)),
    // The relay closes the account's exchange.
    close: () => Promise.resolve(),
  };
}
