import type { Credential } from "./credential.ts";

/** The headers of an answer without keys: a hostile service may echo what it was sent. */
export function redactHeaders(headers: Headers, { redact }: Pick<Credential, "redact">): Headers {
  const entries = [...headers];
  if (entries.every(([, value]) => redact(value) === value)) return headers;
  const clean = new Headers();
  // A header takes no character beyond Latin-1, which the sign for what is left out is.
  for (const [name, value] of entries) clean.append(name, redact(value).replaceAll("…", "..."));
  return clean;
}
