const MOST_CHARACTERS = 200;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Quotes an untrusted text, with escapes for control characters and invisible ones. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, MOST_CHARACTERS)).replace(
    UNSEEN,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );
}
