// What every runtime but Deno gets of this package. Node checks the names of an import before it runs a line, so that a thrown
// message would never be read; a package that is missing is reported before that.
// @ts-ignore: no such package is the message
import "Deno 2.9 or later, which scoreframe runs on; use `npx --yes deno@2.9.6 run -A YOUR_SCRIPT.ts`";
