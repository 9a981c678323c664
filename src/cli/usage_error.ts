/** A command line that makes no sense: an option or a value that a command does not have. */
export class UsageError extends TypeError {
  override readonly name = "UsageError";
}
