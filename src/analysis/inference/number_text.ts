/** A number with a true minus sign: three decimals, or three significant digits where those show too little. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  const digits = size === 0 || size >= 0.01 ? size.toFixed(3) : small(size);
  return value < 0 && Number(digits) !== 0 ? `−${digits}` : digits;
}

/** A number with a true minus sign and so many decimals. */
export function decimalText(value: number, decimals: number): string {
  const digits = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(digits) !== 0 ? `−${digits}` : digits;
}

/** `1 session`, `1,234 sessions`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

function small(size: number): string {
  const decimals = Math.min(12, 2 - Math.floor(Math.log10(size)));
  return size.toFixed(decimals);
}
