import type {
  Answer,
  Exchange,
  ExchangeRequest,
  IfNeededOptions,
  SendOptions,
  StreamedAnswer,
} from "../../../client/transport/exchange.ts";
import { isFileGet } from "../../../client/transport/spends_download.ts";
import type { Reservation } from "./asker.ts";

/** The account's exchange, counting each request for its sender. */
export class MeteredExchange implements Exchange {
  readonly origin: string;
  readonly #exchange: Exchange;
  readonly #reservation: Reservation;

  /** @param exchange The account's */
  constructor(exchange: Exchange, reservation: Reservation) {
    this.origin = exchange.origin;
    this.#exchange = exchange;
    this.#reservation = reservation;
  }

  async send(request: ExchangeRequest, options: SendOptions = {}): Promise<Answer> {
    return (await this.sendIfNeeded(request, options))!;
  }

  sendIfNeeded(request: ExchangeRequest, options: IfNeededOptions): Promise<Answer | null> {
    return this.#exchange.sendIfNeeded(request, this.#counting(request, options));
  }

  open(request: ExchangeRequest, options: IfNeededOptions = {}): Promise<StreamedAnswer | null> {
    return this.#exchange.open(request, this.#counting(request, options));
  }

  // The relay closes the account's exchange.
  close(): Promise<void> {
    return Promise.resolve();
  }

  // Called once for each attempt, just before it is sent.
  #counting(request: ExchangeRequest, options: IfNeededOptions): IfNeededOptions {
    const { isNeeded = () => Promise.resolve(true) } = options;
    return {
      ...options,
      isNeeded: async () => {
        const needed = await isNeeded();
        if (needed) this.#reservation.spend(isFileGet(request) ? "download" : "request");
        return needed;
      },
    };
  }
}
