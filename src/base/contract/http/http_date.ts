// The three forms of RFC 9110, section 5.6.7: the fixed one, that of RFC 850, and that of C's asctime().
const WITH_ZONE =
  /^[A-Z][a-z]{2,8}, (\d{2})[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ \d]\d) \d{2}:\d{2}:\d{2} \d{4}$/;

/** Time of an HTTP date, epoch milliseconds; `null` for any other text, even if `Date` accepts it. */
export function parseHttpDate(text: string): number | null {
  const isAsctime = ASCTIME.test(text);
  const day = (WITH_ZONE.exec(text) ?? ASCTIME.exec(text))?.[1];
  if (day === undefined) return null;
  const time = Date.parse(isAsctime ? `${text} GMT` : text);
  // A day that does not exist in its month would become one of the next month.
  return new Date(time).getUTCDate() === Number(day) ? time : null;
}
