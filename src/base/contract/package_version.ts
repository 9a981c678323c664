/** Version of this package, in the user agent and the `Server` header. */
export const PACKAGE_VERSION = "0.1.0";
