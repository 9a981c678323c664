import type { Schema } from "./schema.ts";

/**
 * Columns of a join: all of the left frame, and those of the right frame except the keys, with a suffix for common names.
 *
 * @internal
 */
export type JoinColumns<
  Left extends Schema,
  Right extends Schema,
  Key extends string,
  Suffix extends string,
> =
  & { [Name in keyof Left]: Left[Name] }
  & {
    [
      Name in Exclude<keyof Right, Key> as Name extends keyof Left ? `${Name & string}${Suffix}`
        : Name
    ]: Right[Name];
  };
