/**
 * Union of several sets of columns, for a choice known only at run time.
 *
 * @internal
 */
export type AllOf<Columns> = {
  [Name in Columns extends unknown ? keyof Columns : never]: Columns extends unknown
    ? Name extends keyof Columns ? Columns[Name] : never
    : never;
};
