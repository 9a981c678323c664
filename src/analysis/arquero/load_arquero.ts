/** The module of Arquero. */
export type Arquero = typeof import("arquero");

/**
 * Loads Arquero, which nothing else needs.
 *
 * @throws {Error} If it is not installed, with what to do
 */
export async function loadArquero(): Promise<Arquero> {
  try {
    return await import("arquero");
  } catch (cause) {
    throw new Error(
      "Cannot load Arquero: expected arquero 8.0.3 with @uwdata/flechette 2.6.0 (2.7.0 depends on " +
        'a package that does not exist), got neither; put "overrides": { "@uwdata/flechette": "2.6.0" } in ' +
        "package.json and install again",
      { cause },
    );
  }
}
