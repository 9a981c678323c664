/** `7,512,003.25`: a comma between thousands in any locale. */
export function groupThousands(value: number | bigint | string): string {
  const [whole = "", ...rest] = String(value).split(".");
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ","), ...rest].join(".");
}
