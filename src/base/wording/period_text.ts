import { countText } from "./number_text.ts";

// "not a session of the prices" is about days.
const SESSIONS = /\b([Ss])ession(s?)\b(?! of the prices)/g;

/**
 * A text about sessions in the periods of the prices: with monthly prices, `5 sessions` become `5 months`.
 *
 * @param unit Name of a period: session, week, month
 */
export function periodText(text: string, unit: string): string {
  if (unit === "session") return text;
  return text.replace(SESSIONS, (_, first: string, plural: string) => {
    const noun = first === "S" ? unit[0]!.toUpperCase() + unit.slice(1) : unit;
    return noun + plural;
  });
}

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
