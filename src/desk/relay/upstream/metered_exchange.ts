import type {
  Exchange,
  ExchangeRequest,
  IfNeededOptions,
} from "../../../client/transport/exchange.ts";
import { isFileGet } from "../../../client/transport/spends_download.ts";
import type { Reservation } from "./asker.ts";

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
