import { sayNotice } from "../../frames/notebook/kernel/say_notice.ts";
import { countText } from "../../base/wording/number_text.ts";

const SHOWN = 3;
// Spellings of one ticker: what a ticker of the scores and another one have in common. Of two suffixes one may be a share class.
type Plain = (ticker: string) => string;
const RULES: readonly (readonly [name: string, ofScores: Plain, ofOther: Plain])[] = [
  ["blanks", trimmed, trimmed],
  ["case", upper, upper],
  ["the sign in it", joined, joined],
  ["a suffix", joined, bare],
  ["a suffix", bare, joined],
];

/**
 * Sentence on tickers of scores that prices or groups lack and have in another spelling: the first three, the rule that joins them, and the
 * call that does; `null` if there are none.
 *
 * @param scored All tickers of the scores; one of them is no spelling of another
 */
export function nearTickersText(
  scored: readonly string[],
  what: "prices" | "groups",
  others: readonly string[],
): string | null {
  const [own, there] = [new Set(scored), new Set(others)];
  const lost = scored.filter((ticker) => !there.has(ticker));
  const unmatched = others.filter((ticker) => !own.has(ticker));
  for (const [rule, ofScores, ofOther] of RULES) {
    const known = new Map(unmatched.map((ticker) => [ofOther(ticker), ticker]));
    const near = lost.flatMap((ticker) => {
      const found = known.get(ofScores(ticker));
      return found === undefined ? [] : [{ ticker, other: found }];
    });
    if (near.length === 0) continue;
    const shown = near.slice(0, SHOWN);
    const list = (name: "ticker" | "other") =>
      `[${shown.map((pair) => JSON.stringify(pair[name])).join(", ")}]`;
    const call = what === "prices"
      ? `readPrices("closes.csv", { tickers: pl.DataFrame({ ticker: ${list("ticker")}, other: ${
        list("other")
      } }) })`
      : `groups.withColumns(pl.col("ticker").replace(${list("other")}, ${list("ticker")}))`;
    return `${countText(near.length, "ticker")} of the scores ${
      near.length === 1 ? "differs" : "differ"
    } from one of the ${what} only by ${rule} (${
      shown.map(({ ticker, other }) => `${ticker}: ${other}`).join(", ")
    }${near.length > SHOWN ? ", …" : ""}): ${call}.`;
  }
  return null;
}

/** Says which names differ by case alone, and so are two. */
export function sayAlike(what: string, names: readonly string[]): void {
  const alike = [...Map.groupBy(names, (name) => name.toLowerCase()).values()]
    .filter((some) => some.length > 1);
  if (alike.length === 0) return;
  const shown = alike.slice(0, SHOWN).map((some) => some.join(" and ")).join("; ");
  sayNotice(
    `${what} differ only by the case of their names, and count as two: ${shown}${
      alike.length > SHOWN ? "; …" : ""
    }`,
  );
}

function trimmed(ticker: string): string {
  return ticker.trim();
}

function upper(ticker: string): string {
  return ticker.trim().toUpperCase();
}

function joined(ticker: string): string {
  return upper(ticker).replaceAll(/[.\-/ ]/g, "-");
}

function bare(ticker: string): string {
  return joined(upper(ticker).replace(/(\.[A-Z]{1,2}| US( EQUITY)?)$/, ""));
}
