/** Version of nodejs-polars. */
export async function polarsVersion(): Promise<string> {
  const { default: pl } = await import("nodejs-polars");
  return pl.version;
}
