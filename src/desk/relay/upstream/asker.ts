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
  /**
   * Counts a request durably, before it is sent.
   *
   * @throws {Refusal} 429 if it is a further attempt and the budget of the user is spent
   */
  spend(what: Cost): void;
  /** Gives back the last request, which never reached the service. */
  giveBack(what: Cost): void;
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
export function ownAsker(spend: (user: string, what: Cost) => () => void): Asker {
  let undo = () => {};
  const reservation: Reservation = {
    spend: (what) => void (undo = spend(OWN_NAME, what)),
    giveBack: () => undo(),
    free: () => {},
  };
  return { user: OWN_NAME, reserve: () => reservation, restOn: () => {} };
}

/** The account's exchange, counting each attempt for its sender, and giving back those that never reached the service. */
export function meteredExchange(exchange: Exchange, reservation: Reservation): Exchange {
  const counted = async <Answer>(
    request: ExchangeRequest,
    options: IfNeededOptions | undefined,
    send: (options: IfNeededOptions) => Promise<Answer | null>,
  ): Promise<Answer | null> => {
    const what = isFileGet(request) ? "download" : "request";
    let refused: unknown = null;
    const answer = await send({
      ...options,
      // Called once for each attempt, just before it is sent.
      isNeeded: async () => {
        if (!await (options?.isNeeded?.() ?? true)) return false;
        try {
          reservation.spend(what);
          return true;
        } catch (refusal) {
          refused = refusal;
          return false;
        }
      },
      onUnsent: () => reservation.giveBack(what),
    });
    if (refused !== null) throw refused;
    return answer;
  };
  const sendIfNeeded: Exchange["sendIfNeeded"] = (request, options) =>
    counted(request, options, (counting) => exchange.sendIfNeeded(request, counting));
  return {
    origin: exchange.origin,
    send: async (request, options) => (await sendIfNeeded(request, options ?? {}))!,
    sendIfNeeded,
    open: (request, options) =>
      counted(request, options, (counting) => exchange.open(request, counting)),
    // The relay closes the account's exchange.
    close: () => Promise.resolve(),
  };
}
