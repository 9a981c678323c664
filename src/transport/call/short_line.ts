// Control characters, marks of direction and other invisible ones, ends of lines and of paragraphs.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A foreign text as one line of at most so many characters; a blank stands for what cannot be seen. */
export function shortLine(text: string, maxLength: number): string {
  return text.replace(UNSEEN, " ").trim().slice(0, maxLength);
}
