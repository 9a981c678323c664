import { countText, type Estimate, intervalText, numberText, percentText } from "../number_text.ts";

/** Rows and ICs of a release and of a panel over their common sessions. */
export interface ReconciledSaid {
  readonly sessions: number;
  readonly rows: number;
  /** Rows by change. */
  readonly counts: Readonly<Record<string, number>>;
  /** Mean and largest absolute move; `null` if none moved. */
  readonly moves: { readonly mean: number; readonly largest: number } | null;
  readonly ics: readonly {
    readonly horizon: number;
    readonly release: number | null;
    readonly panel: number | null;
    readonly difference: Estimate;
    readonly sessions: number;
  }[];
}

/** The comparison in sentences. */
export function reconcileText({ sessions, rows, counts, moves, ics }: ReconciledSaid): string {
  const share = (name: string) => percentText((counts[name] ?? 0) / rows);
  const moved = moves === null
    ? ""
    : ` (by ${numberText(moves.mean)} on average, ${numberText(moves.largest)} at most)`;
  return [
    `Of ${countText(rows, "row")} in ${countText(sessions, "common session")}, ` +
    `${share("equal")} are equal, ${share("moved")} moved${moved}, ` +
    `${share("null_in_release")} are null in the release alone, ${share("null_in_panel")} ` +
    `in the panel alone, ${share("only_release")} are missing in the panel, and ` +
    `${share("only_panel")} in the release.`,
    ...ics.map(icText),
  ].join("\n");
}

function icText(
  { horizon, release, panel, difference, sessions }: ReconciledSaid["ics"][number],
): string {
  const at = `At ${countText(horizon, "session")}`;
  if (release === null || panel === null || difference.value === null) {
    return `${at} no session has both ICs.`;
  }
  const { value, low, high } = difference;
  return `${at} the mean IC is ${numberText(release)} for the release and ${numberText(panel)} ` +
    `for the panel, over ${countText(sessions, "common session")}; the difference, release ` +
    `minus panel, is ${numberText(value)} (${intervalText([low, high], numberText)}).`;
}
