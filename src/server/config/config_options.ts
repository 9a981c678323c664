/** Source of a configuration. */
export interface ConfigOptions {
  /**
   * Path of the file, for messages.
   *
   * @default none
   */
  readonly file?: string;
}
