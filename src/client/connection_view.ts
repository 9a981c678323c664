import type { DisplayMethods } from "../frames/notebook/display_as.ts";
import { groupThousands } from "../base/wording/group_thousands.ts";
import { Allowance, type BudgetLeft } from "./cost/allowance.ts";
import type { ConnectionContext } from "./verb/connection_context.ts";
import { tableView, type TextTable } from "./verb/table.ts";

/**
 * Display of a connection as a small table: the service's address, a hint of the key, the store, and the remaining allowance.
 * Never contains the key.
 */
export function connectionView(context: ConnectionContext): DisplayMethods {
  return tableView(() => connectionTable(context));
}

function connectionTable(context: ConnectionContext): TextTable {
  const { exchange, keyHint, store, isOffline, about = [] } = context;
  const mode = isOffline ? [["offline", "nothing is sent; answers come from the store"]] : [];
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
    // A closed connection has no ledger; a display that throws would hide the rest.
    return [["allowance", "unknown: the connection is closed"]];
  }
}

function leftOf({ remaining, limit }: BudgetLeft): string {
  return `${groupThousands(remaining)} of ${groupThousands(limit)}`;
}
