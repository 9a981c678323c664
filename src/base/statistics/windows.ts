/** Sessions of a quarter: the longest lag and age, and the length of a rolling mean. */
export const SESSIONS_OF_QUARTER = 63;
