import { givenList } from "../../base/arguments/list_text.ts";

/**
 * Refuses calls that name neither columns of exposures nor a column of groups.
 *
 * @throws {TypeError} If `on` is not an array of column names, or empty without a group
 */
export function assertExposures(action: string, on: unknown, group: unknown): void {
  const areNames = Array.isArray(on) && on.every((name) => typeof name === "string");
  if (areNames && (on.length > 0 || group !== undefined)) return;
  throw new TypeError(
    `Cannot ${action}: expected on to be an array of column names, or group the name of one, got ` +
      `${givenList(on)}; such as { on: ["beta"], group: "sector" }`,
  );
}
