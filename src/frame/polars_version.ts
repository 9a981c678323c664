/** The version of nodejs-polars that makes every frame. */
export async function polarsVersion(): Promise<string> {
  const { default: pl } = await import("nodejs-polars");
  return pl.version;
}
