/** What came of an input and one set of options. */
export interface Outcome {
  /** The options, in the order in which messages advised them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What was read, or the message of the last question. */
  readonly result: string;
}

const NAMES = [
  ...[
    "date",
    "ticker",
    "close",
    "raw",
    "adjusted",
    "factor",
    "returns",
    "percent",
    "only",
    "missing",
    "skip",
    "footer",
  ],
  ...[
    "header",
    "separator",
    "decimal",
    "currency",
    "negative",
    "dateFormat",
    "labels",
    "layout",
    "frequency",
    "calendar",
  ],
  ...["still", "strays", "maxMissing", "timeZone", "delisting"],
];
const VALUE = String.raw`"(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?|true|false|\{[^{}]*\}|\[[^\]]*\]`;

/** The options that a message advises, one object for each alternative. */
export function advisedOptions(message: string): readonly Record<string, unknown>[] {
  const advice = message.slice(Math.max(0, message.indexOf(";")));
  const found = [
    ...advice.matchAll(new RegExp(String.raw`\b(${NAMES.join("|")}): (${VALUE})`, "g")),
  ];
  const groups: Record<string, unknown>[] = [];
  let end = -1;
  for (const match of found) {
    const [text, name, value] = match as unknown as [string, string, string];
    if (match.index < end) continue;
    const between = advice.slice(Math.max(0, end), match.index);
    const option = { [name]: new Function(`return (${value})`)() as unknown };
    if (end >= 0 && /^,( and)? $/.test(between)) Object.assign(groups.at(-1)!, option);
    else groups.push(option);
    end = match.index + text.length;
  }
  return groups;
}

/**
 * Applies the advice of each message literally, until the input is read or a message advises no option.
 *
 * @throws {Error} If a message advises what was done already
 */
export async function followAdvice(
  read: (options: Readonly<Record<string, unknown>>) => Promise<string>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<readonly Outcome[]> {
  let message: string;
  try {
    return [{ options, result: await read(options) }];
  } catch (error) {
    message = (error as Error).message;
  }
  const advised = advisedOptions(message);
  if (advised.length === 0) return [{ options, result: `? ${message}` }];
  const outcomes: Outcome[] = [];
  for (const more of advised) {
    const next = { ...options, ...more };
    if (JSON.stringify(next) === JSON.stringify(options)) {
      throw new Error(
        `the advice was followed already, with ${JSON.stringify(options)}: ${message}`,
      );
    }
    outcomes.push(...await followAdvice(read, next));
  }
  return outcomes;
}
