import { describe } from "../contract/violation.ts";
import { groupThousands } from "../wording/group_thousands.ts";

const SHOWN = 6;
const LONGEST = 40;

/** Names in a message, each cut to 40 characters: the first six, and how many more there are. */
export function listText(names: readonly string[], shown = SHOWN): string {
  if (names.length === 0) return "(none)";
  const first = names.slice(0, shown).map(cut).join(", ");
  const rest = names.length - shown;
  return rest > 0 ? `${first} and ${groupThousands(rest)} more` : first;
}

function cut(name: string): string {
  if (name === "") return '""';
  if (name.length <= LONGEST) return describe(name).slice(1, -1);
  return `${describe(name.slice(0, LONGEST)).slice(1, -1)}… (${groupThousands(name.length)} ` +
    "characters)";
}
