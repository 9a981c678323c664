// "not a session of the prices" is about days.
const SESSIONS = /\b([Ss])ession(s?)\b(?! of the prices)/g;

/**
 * A text about sessions in the periods that prices have: `5 sessions` of monthly prices are `5 months`.
 *
 * @param unit A period, as it is called: session, week, month
 */
export function periodText(text: string, unit: string): string {
  if (unit === "session") return text;
  return text.replace(SESSIONS, (_, first: string, plural: string) => {
    const noun = first === "S" ? unit[0]!.toUpperCase() + unit.slice(1) : unit;
    return noun + plural;
  });
}
