/**
 * Command that installs missing packages of this copy of the library, for messages.
 *
 * Where npm installed the package, `deno install` would replace it by a link to its archive; npm under Node 20 leaves out the
 * native package of nodejs-polars, which requires Node 22.
 *
 * @param url Address of a module of this copy
 */
export function installLine(url: string = import.meta.url): string {
  const isOfNpm = url.includes("/node_modules/") && !url.includes("/node_modules/.deno/");
  return isOfNpm ? "npx --yes -p node@22 npm install" : "deno install";
}
