/** Stands for a ban without an end. */
export const forEver = new Date("9999-12-31T00:00:00.000Z");

/** Until when a player cannot be fought: federal jail ends at a moment or never, a fallen player never comes back. */
export function federalUntil({ state, until }: { readonly state: string; readonly until: Date | null }): Date | null {
  if (state === "Federal") return until ?? forEver;
  return state === "Fallen" ? forEver : null;
}
