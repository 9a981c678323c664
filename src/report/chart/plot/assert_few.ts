import { groupThousands } from "../../../base/wording/group_thousands.ts";

/** Refuses a number of items that a picture cannot show. */
export function assertFew(
  action: string,
  count: number,
  { most, what, advice = "filter or aggregate them first" }: {
    readonly most: number;
    readonly what: string;
    readonly advice?: string;
  },
): void {
  if (count <= most) return;
  throw new RangeError(
    `Cannot ${action}: expected at most ${groupThousands(most)} ${what}, got ` +
      `${groupThousands(count)}; ${advice}`,
  );
}
