// Joiners of scripts and of emoji do neither.
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text with each character that acts on a terminal or turns the direction of a line written as `\u202e`, as JSON would; line
 * breaks and tabs stay. All that is printed goes through it, because file names, outputs of cells and texts of a service are
 * somebody else's.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, written);
}

/** Text as in {@link visibleText} on one line, so that nobody's name adds a line of its own to a report. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, (unit) => unit === "\n" ? "\\n" : "\\t");
}

function written(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}
