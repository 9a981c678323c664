/** An object of which some members are the test's own; the others stay. */
export function withMembers<Whole extends object>(whole: Whole, own: object): Whole {
  return Object.create(whole, Object.getOwnPropertyDescriptors(own)) as Whole;
}
