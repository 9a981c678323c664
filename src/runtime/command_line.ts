/**
 * What stands before a command of this library, such as `serve`, in a line that a reader is to type.
 *
 * A clone has tasks, the npm package an executable; from any other address Deno runs the module itself.
 *
 * @param url Address of a module of this copy
 */
export function commandLine(url: string = import.meta.url): string {
  if (/^https?:/.test(url)) return "deno run -A jsr:@scoreframe/scoreframe/cli";
  // npm packages hold compiled modules only.
  return url.endsWith(".ts") ? "deno task" : "scoreframe";
}
