/** A number with so many decimals and the minus of print. */
export function decimals(value: number, count: number): string {
  const text = value.toFixed(count);
  return text.startsWith("-") && Number(text) !== 0 ? `−${text.slice(1)}` : text.replace(/^-/, "");
}

/** A share in percent. */
export function percent(share: number, count = 1): string {
  return `${decimals(100 * share, count)} %`;
}

/** `95 %: 0.01 to 0.03`, or that there is no interval. */
export function intervalText(low: number, high: number, count: number): string {
  return Number.isNaN(low) || Number.isNaN(high)
    ? "no interval, too few windows"
    : `95 %: ${decimals(low, count)} to ${decimals(high, count)}`;
}
