// One process of several that open, use, close and clear away the ledgers of one folder, as connections to a server of
// this machine do.
import process from "node:process";
import { join } from "node:path";
import {
  openLedger,
  removeEndedLedgers,
} from "../../../../src/client/transport/allowance/ledger.ts";

const [folder = "", rounds = "0"] = process.argv.slice(2);
const path = join(folder, "a.sqlite");
const nowMs = Date.parse("2026-11-20T15:00:00Z");
let lost = 0;
for (let round = 0; round < Number(rounds); round++) {
  const id = `${process.pid}-${round}`;
  const flight = { id, owner: "host:1", download: false, leaseUntilMs: nowMs + 60_000 };
  const ledger = await openLedger(path);
  ledger.update((state) => ({
    state: { ...state, flights: [...state.flights, flight] },
    result: null,
  }));
  const other = await openLedger(path);
  if (!other.read().flights.some((lease) => lease.id === id)) lost++;
  other.close();
  ledger.update((state) => ({
    state: { ...state, flights: state.flights.filter((lease) => lease.id !== id) },
    result: null,
  }));
  ledger.close();
  await removeEndedLedgers(folder, () => true, nowMs);
}
process.stdout.write(`${rounds} rounds, ${lost} lost\n`);
