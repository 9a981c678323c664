/** Smallest valid price: closes adjusted for many splits are small, but not smaller. */
export const SMALLEST_PRICE = 1e-12;
/** Largest valid price: closes adjusted for many reverse splits are large, but not larger. */
export const LARGEST_PRICE = 1e15;
