import type { Signals } from "./book/book_calendar.ts";
import type { Weights } from "./weights.ts";

/** Sessions in which weights are new: those that they name, else all with a weight. */
export function weightSignals({ days, tickers, values, span, signals = null }: Weights): Signals {
  const width = tickers.length;
  const weighed = new Uint8Array(days.length);
  for (let cell = span[0] * width; cell < span[1] * width; cell++) {
    if (values[cell] === values[cell]) weighed[Math.floor(cell / width)] = 1;
  }
  if (signals === null) return { days, signals: weighed, span, livesOn: true };
  const own = signals.map((mark, d) => mark & weighed[d]!);
  return { days, signals: own, span, livesOn: false };
}
