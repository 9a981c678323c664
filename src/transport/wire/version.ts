/** The version of this package, as the user agent tells it. */
export const VERSION = "0.1.0";
