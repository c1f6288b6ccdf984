/** Which calls: all, those that worked, those that were refused or failed, or those that came too fast. */
export const callOutcomes = ["all", "good", "failed", "limited"] as const;
export type CallOutcome = (typeof callOutcomes)[number];
