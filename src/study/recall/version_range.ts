const PART = /^(<=|>=|<|>|=)?(\d+)\.(\d+)\.(\d+)(-[\w.]+)?$/;

/** Tests if a text is a range of versions: `0.1.0`, `<0.2.0`, `>=0.1.0 <0.2.0`. */
export function isRange(range: string): boolean {
  return range.trim() !== "" && range.trim().split(/\s+/).every((part) => PART.test(part));
}

/** Tests if a version, `0.1.0` or `deno 2.9.6`, is in a range: all of its parts hold. */
export function isInRange(version: string, range: string): boolean {
  const known = PART.exec(version.replace(/^\w+ /, ""));
  return known !== null && range.trim().split(/\s+/).every((part) => {
    const [, sign = "=", ...limit] = PART.exec(part)!;
    const order = compare(known.slice(2), limit);
    return sign.includes("=") && order === 0 || sign.startsWith("<") && order < 0 ||
      sign.startsWith(">") && order > 0;
  });
}

// A version before its release, 0.2.0-rc.1, is below it.
function compare(
  [...a]: readonly (string | undefined)[],
  b: readonly (string | undefined)[],
): number {
  const digit = [0, 1, 2].find((i) => a[i] !== b[i]);
  if (digit !== undefined) return Number(a[digit]) - Number(b[digit]);
  const [mine = "~", other = "~"] = [a[3], b[3]];
  return mine === other ? 0 : mine < other ? -1 : 1;
}
