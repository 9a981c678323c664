/** Content by media type, from which a front end chooses. */
export type MimeBundle = Readonly<Record<string, unknown>>;

const METADATA = Symbol.for("scoreframe.metadata");

/** Adds notes on its contents to a bundle, which are sent with it. */
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
