/** Invalid command line: an option or a value that the command does not have. */
export class UsageError extends TypeError {
  override readonly name = "UsageError";
}
