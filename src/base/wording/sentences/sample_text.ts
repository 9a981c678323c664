import { countText } from "../number_text.ts";

/**
 * Sessions, span and tickers of a sample: `501 sessions, 2024-05-02 to 2026-05-01, 67 tickers`.
 *
 * @param sessions The sessions of the sample, ascending
 */
export function sampleText(sessions: readonly string[], tickers: number): string {
  const [first, last] = [sessions[0], sessions.at(-1)];
  const span = first === undefined ? [] : [first === last ? first : `${first} to ${last}`];
  return [countText(sessions.length, "session"), ...span, countText(tickers, "ticker")].join(", ");
}
