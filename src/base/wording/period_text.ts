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
