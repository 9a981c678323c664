/** Version of this package, as the user agent and the `Server` header say it. */
export const PACKAGE_VERSION = "0.1.0";
