/** A text of a store without the hash at its end, as a version before it wrote it, or as a forger leaves it. */
export function withoutSeal(text: string): string {
  return text.replace(/,\s*"sha256": "[0-9a-f]{64}"\s*\}\s*$/, "\n}\n");
}
