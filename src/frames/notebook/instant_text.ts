/** Precision of a written instant. */
export type InstantPrecision = "minute" | "second" | "millisecond";

/** Text of an instant in a display, such as `2026-11-20 14:57Z`; messages use a form that can be passed as an argument. */
export function instantText(instant: Date, precision: InstantPrecision = "minute"): string {
  const text = instant.toISOString().replace("T", " ");
  if (precision === "millisecond") return text;
  return text.replace(precision === "minute" ? /:\d{2}\.\d{3}Z$/ : /\.\d{3}Z$/, "Z");
}

/** Lowest precision that loses nothing of these instants. */
export function instantPrecision(instants: readonly Date[]): InstantPrecision {
  const loses = (unitMs: number) => instants.some((instant) => instant.getTime() % unitMs !== 0);
  if (loses(1_000)) return "millisecond";
  return loses(60_000) ? "second" : "minute";
}
