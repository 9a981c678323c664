/** Every column that one of several sets of columns has; what may be there where only the call decides. */
export type AllOf<Columns> = {
  [Name in Columns extends unknown ? keyof Columns : never]: Columns extends unknown
    ? Name extends keyof Columns ? Columns[Name] : never
    : never;
};
