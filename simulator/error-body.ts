/** The game's sentences for its error codes, as it words them. */
const sentences: Readonly<Record<number, string>> = {
  0: "Unknown error",
  1: "Key is empty",
  2: "Incorrect key",
  3: "Wrong type",
  4: "Wrong fields",
  5: "Too many requests",
  6: "Incorrect ID",
  7: "Incorrect ID-entity relation",
  8: "IP block",
  9: "API disabled",
  10: "Key owner is in federal jail",
  11: "Key change error",
  12: "Key read error",
  13: "The key is temporarily disabled due to owner inactivity",
  14: "Daily read limit reached",
  15: "Temporary error",
  16: "Access level of this key is not high enough",
  17: "Backend error occurred, please try again",
  18: "API key has been paused by the owner",
  19: "Must be migrated to crimes 2.0",
  20: "Race not yet finished",
  21: "Incorrect category",
  22: "This selection is only available in API v1",
  23: "This selection is only available in API v2",
  24: "Closed temporarily",
  25: "Invalid stat requested",
  26: "Only category or stats can be requested",
  27: "Must be migrated to organized crimes 2.0",
};

/** The body of a refusal. It goes out with HTTP 200. */
export const errorBody = (code: number): string =>
  JSON.stringify({ error: { code, error: sentences[code] ?? "Unknown error" } });
