import { createHash } from "node:crypto";

const SEAL = /,\n( +)"sha256": "[0-9a-f]{64}"\s*\}\s*$/;

/** A text of a store without the hash at its end, as a version before it wrote it, or as a forger leaves it. */
export function withoutSeal(text: string): string {
  return text.replace(SEAL, "\n}\n");
}

/** A text of a store that was edited, with the hash that fits it, as a forger leaves it who knows the format. */
export function sealedAgain(text: string): string {
  const body = text.replace(SEAL, "");
  const sha256 = createHash("sha256").update(body).digest("hex");
  return text.replace(SEAL, (_, indent) => `,\n${indent}"sha256": "${sha256}"\n}\n`);
}
