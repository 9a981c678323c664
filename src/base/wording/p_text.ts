const LEAST = 0.0001;

/** A p value in sentences, tables and charts: two digits, two decimals from 0.095 on, or `< 0.0001`. */
export function pText(p: number): string {
  if (p < LEAST) return "< 0.0001";
  return p < 0.095 ? String(Number(p.toPrecision(2))) : p.toFixed(2);
}

/** `p = 0.12`, or `p < 0.0001`. */
export function pPhrase(p: number): string {
  return p < LEAST ? `p ${pText(p)}` : `p = ${pText(p)}`;
}
