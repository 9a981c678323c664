/** Media types and their content: what a frontend chooses from. */
export type MimeBundle = Readonly<Record<string, unknown>>;

const METADATA = Symbol.for("scoreframe.metadata");

/** The bundle with what a frontend is told of its contents, which is sent beside it. */
export function withMetadata(
  bundle: MimeBundle,
  metadata: Readonly<Record<string, unknown>>,
): MimeBundle {
  return Object.defineProperty({ ...bundle }, METADATA, { value: metadata });
}

/** Notes to a frontend on the contents of a bundle, by media type. */
export function metadataOf(bundle: MimeBundle): Readonly<Record<string, unknown>> {
  return (bundle as { readonly [METADATA]?: Readonly<Record<string, unknown>> })[METADATA] ?? {};
}
