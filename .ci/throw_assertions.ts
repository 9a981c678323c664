// Loaded before the examples of the documentation: an assertion of theirs that does not hold fails them, instead of
// writing "Assertion failed" to a log that nobody reads.
globalThis.console.assert = (condition, ...said): void => {
  if (!condition) throw new Error(["The assertion does not hold", ...said].join(": "));
};
