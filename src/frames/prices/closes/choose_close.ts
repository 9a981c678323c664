import { describe } from "../../../base/contract/violation.ts";
import { STATE_WORDS } from "./close_state.ts";
import { type CloseQuestion, givenFactors } from "./price_columns.ts";
import type { JudgedColumn } from "./judged_column.ts";

/** The column of which returns are best made: adjusted for most, by the numbers and then by its name. */
export function chooseClose(
  closes: readonly JudgedColumn[],
  question: CloseQuestion,
): JudgedColumn {
  const { close, raw, factor } = question.options;
  const named = closes.find(({ name }) => name === close);
  const best = Math.max(...closes.map(rankOf));
  const first = closes.filter((column) => rankOf(column) === best);
  if (named !== undefined) {
    if (rankOf(named) < best) refuseLesser(named, first[0]!, question);
    return named;
  }
  if (givenFactors(factor).some(({ role }) => !["none", "dividend"].includes(role))) {
    const of = (claim: JudgedColumn["claim"]) => closes.find((column) => column.claim === claim);
    return closes.find(({ jumps }) => jumps === true) ?? of("raw") ?? of("plain") ?? closes[0]!;
  }
  const hasLiar = closes.some(({ claim, jumps, isSure }) =>
    claim === "adjusted" && jumps === true && !isSure
  );
  if (hasLiar && closes.some(({ claim, jumps }) => claim === "raw" && jumps === false)) {
    throw severalCloses(closes, question);
  }
  const others = first.filter((column) => column.name !== raw);
  const isAlone = best >= RANKS.smooth || closes.length === 1 || raw !== undefined;
  const isOnly = others.length === 1 && isAlone;
  const isSame = others.length > 1 && best >= RANKS.named && areEqual(others);
  if (isOnly || isSame || (best === RANKS.traded && others.length > 0)) return others[0]!;
  throw severalCloses(closes, question);
}

const RANKS = { traded: 0, raw: 1, plain: 2, smooth: 3, named: 4, dividends: 5 };

function rankOf({ claim, jumps, hasDividends }: JudgedColumn): number {
  if (jumps === true) return RANKS.traded;
  if (hasDividends === true) return RANKS.dividends;
  if (claim === "adjusted") return RANKS.named;
  if (jumps === false || claim === "splits") return RANKS.smooth;
  return claim === "raw" ? RANKS.raw : RANKS.plain;
}

/** Refuses a column that an option names beside one that is adjusted for more, unless another option says what it is. */
function refuseLesser(
  { name, state, because }: JudgedColumn,
  better: JudgedColumn,
  { action, options: { adjusted, factor, raw }, call }: CloseQuestion,
): void {
  if (adjusted !== undefined || factor !== undefined || raw !== undefined) return;
  const got = `${describe(name)}, closes ${STATE_WORDS[state]} (${because})`;
  throw new TypeError(
    `Cannot ${action}: expected closes that are adjusted for splits and dividends, got ${got}; ` +
      `use ${call(`close: ${describe(better.name)}`)}`,
  );
}

function areEqual(closes: readonly JudgedColumn[]): boolean {
  return closes.every(({ values }) =>
    values.every((value, i) => Object.is(value, closes[0]!.values[i]))
  );
}

function severalCloses(
  closes: readonly JudgedColumn[],
  { action, call }: CloseQuestion,
): TypeError {
  const names = closes.map(({ name }) => describe(name)).join(" and ");
  const shown = closes.find(({ jumps }) => jumps !== null);
  const isSame = shown === undefined;
  const raws = closes.filter(({ claim }) => claim === "raw");
  // Closes that equal those as traded through the move of a split are as traded, too.
  const isTraded = raws.length > 0 && areEqual(closes) && closes[0]!.hasLargeMove;
  const way = (name: string, adjusted: string) =>
    call(`close: ${describe(name)}, adjusted: ${adjusted}`);
  const ways = isTraded
    ? raws.map(({ name }) => way(name, "false"))
    : isSame && areEqual(closes)
    ? ["true", '"splits"', "false"].map((adjusted) => way(closes[0]!.name, adjusted))
    : closes.filter(({ claim }) => claim !== "raw" || !isSame)
      .map(({ name, jumps, hasDividends }) =>
        way(name, jumps === false && hasDividends !== true ? '"splits"' : "true")
      );
  return new TypeError(
    `Cannot ${action}: expected one column of closes, got ${names}, ` +
      (isSame
        ? "and no split or dividend in the file tells them apart"
        : `whose names contradict their numbers (${shown.name}: ${shown.because})`) +
      `; use ${ways.join(" or ")}, the one that is what its option says`,
  );
}
