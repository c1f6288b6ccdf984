import manifest from "../package.json" with { type: "json" };

/** The product's version, as its package says it. */
export const version: string = manifest.version;
