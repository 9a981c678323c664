/** Version of this package, as the `Server` header tells it. */
export const VERSION = "0.1.0";
