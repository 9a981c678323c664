// Control characters, marks of direction and other invisible ones, ends of lines and of paragraphs.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Foreign text as one line of limited length, with blanks for invisible characters. */
export function shortLine(text: string, maxLength: number): string {
  return text.replace(UNSEEN, " ").trim().slice(0, maxLength);
}
