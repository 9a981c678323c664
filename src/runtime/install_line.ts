/**
 * The line that installs what is missing beside this copy of the library, to stand in a message.
 *
 * Where npm installed the package, `deno install` would put a link to its archive in place of it; and npm under Node 20
 * leaves the native package of nodejs-polars out, because it asks for Node 22.
 *
 * @param url Address of a module of this copy
 */
export function installLine(url: string = import.meta.url): string {
  const isOfNpm = url.includes("/node_modules/") && !url.includes("/node_modules/.deno/");
  return isOfNpm ? "npx --yes -p node@22 npm install" : "deno install";
}
