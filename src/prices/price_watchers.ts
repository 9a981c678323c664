/** Functions that are called with each file of prices before it is read, by the folder of an open study. */
export const priceWatchers: Map<string, (path: string) => Promise<void>> = new Map();
