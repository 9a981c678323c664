// What every runtime but Deno gets of this package: one line, before anything else is loaded.
throw new Error(
  "Cannot load scoreframe: expected Deno 2.9 or later, got another runtime; " +
    "run your script with `npx --yes deno@2.9.6 run -A YOUR_SCRIPT.ts`",
);
