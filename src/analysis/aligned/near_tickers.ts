import { countText } from "../../base/wording/number_text.ts";

const SHOWN = 3;
// Spellings of one ticker, each with what is the same without it.
const RULES: readonly (readonly [name: string, plain: (ticker: string) => string])[] = [
  ["blanks", (ticker) => ticker.trim()],
  ["case", (ticker) => ticker.trim().toUpperCase()],
  ["the sign in it", (ticker) => ticker.trim().toUpperCase().replaceAll(/[.\-/ ]/g, "-")],
  [
    "a suffix",
    (ticker) =>
      ticker.trim().toUpperCase().replace(/(\.[A-Z]{1,2}| US( EQUITY)?)$/, "").replaceAll(
        /[.\-/ ]/g,
        "-",
      ),
  ],
];

/** Tickers without prices whose prices have another spelling: the first three with it, and the rule that joins them. */
export function nearTickersText(lost: readonly string[], priced: readonly string[]): string | null {
  for (const [rule, plain] of RULES) {
    const known = new Map(priced.map((ticker) => [plain(ticker), ticker]));
    const near = lost.flatMap((ticker) => {
      const found = known.get(plain(ticker));
      return found === undefined ? [] : [{ ticker, other: found }];
    });
    if (near.length === 0) continue;
    const shown = near.slice(0, SHOWN);
    const list = (name: "ticker" | "other") =>
      shown.map((pair) => JSON.stringify(pair[name])).join(", ");
    return `${countText(near.length, "ticker")} of the scores ${
      near.length === 1 ? "differs" : "differ"
    } from one of ` +
      `the prices only by ${rule} (${
        shown.map(({ ticker, other }) => `${ticker}: ${other}`).join(", ")
      }${
        near.length > SHOWN ? ", …" : ""
      }): readPrices("closes.csv", { tickers: pl.DataFrame({ ticker: [${list("ticker")}], other: [${
        list("other")
      }] }) }).`;
  }
  return null;
}
