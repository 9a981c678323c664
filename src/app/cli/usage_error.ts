/** Invalid command line: an unknown option or value. */
export class UsageError extends TypeError {
  override readonly name = "UsageError";
}
