/** A date or an instant as Polars takes it. */
export function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
