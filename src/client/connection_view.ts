import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { groupThousands } from "../notebook/group_thousands.ts";
import { Allowance, type BudgetLeft } from "./cost/allowance.ts";
import type { ConnectionContext } from "./verb/connection_context.ts";
import { type Table, tableBundle, tableText } from "./verb/table.ts";

/** How a connection shows itself: the service's address, a hint of the key, the store, and what may still be spent. */
export class ConnectionView {
  readonly #context: ConnectionContext;

  /**
   * Shows a connection.
   *
   * @param context What its verbs share
   */
  constructor(context: ConnectionContext) {
    this.#context = context;
  }

  /** The connection as a small table; the key is in no part of it. */
  toString(): string {
    return tableText(connectionTable(this.#context));
  }

  /** What a notebook shows. */
  [DISPLAY](): Promise<MimeBundle> {
    return display(tableBundle(connectionTable(this.#context)));
  }

  /** What a terminal shows. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}

function connectionTable(context: ConnectionContext): Table {
  const { exchange, keyHint, store, isOffline, about = [] } = context;
  const mode = isOffline ? [["offline", "nothing is sent; the store answers"]] : [];
  return {
    title: "Connection",
    header: ["service", exchange.origin],
    rows: [["key", keyHint], ["store", store.path], ...mode, ...about, ...allowanceRows(context)],
    notes: [],
  };
}

function allowanceRows({ ledger, clock }: ConnectionContext): readonly (readonly string[])[] {
  try {
    const { minute, day, download } = new Allowance(ledger.read(), clock.now());
    return [
      ["requests left this minute", leftOf(minute)],
      ["requests left today", leftOf(day)],
      ["downloads left today", leftOf(download)],
    ];
  } catch {
    // The ledger is closed with the connection; a display that throws would hide the rest.
    return [["allowance", "not known: the connection is closed"]];
  }
}

function leftOf({ remaining, limit }: BudgetLeft): string {
  return `${groupThousands(remaining)} of ${groupThousands(limit)}`;
}
