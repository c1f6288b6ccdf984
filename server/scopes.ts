/** `title` and `grants` are words of the consent page. */
export const scopes = [
  {
    name: "identity",
    title: "Know who you are",
    grants: "Your player id, name, faction id, linked chat account and last action.",
  },
  {
    name: "faction",
    title: "All your faction's data",
    grants: "Your faction's attacks, banking, OCs and positions.",
  },
  {
    name: "faction:attacks",
    title: "Your faction's attacks",
    grants: "Open retaliations of your faction.",
  },
  {
    name: "faction:banking",
    title: "Your faction's banking",
    grants: "Read, create and cancel vault requests.",
  },
  {
    name: "faction:crimes",
    title: "Your faction's OCs",
    grants: "Which members delay an OC, and why.",
  },
  {
    name: "service_key:usage",
    title: "Use your game key",
    grants: "Let Adjutant make calls with your key. The application never sees the key itself.",
  },
] as const;

export type ScopeName = (typeof scopes)[number]["name"];

export const scopeNames: readonly ScopeName[] = scopes.map((scope) => scope.name);

export const isScopeName = (text: string): text is ScopeName =>
  scopeNames.some((name) => name === text);

export const covers = (held: readonly ScopeName[], needed: ScopeName): boolean =>
  held.includes(needed) || (needed.startsWith("faction:") && held.includes("faction"));

export const isFactionScope = (scope: ScopeName): boolean => covers(["faction"], scope);

export const missingScopes = (
  held: readonly ScopeName[],
  needed: readonly ScopeName[],
): ScopeName[] => needed.filter((scope) => !covers(held, scope));

/** Taking away one `faction:*` replaces `faction` by the other parts. No right is ever added. */
export function takeAway(held: readonly ScopeName[], taken: readonly ScopeName[]): ScopeName[] {
  const split =
    held.includes("faction") && !taken.includes("faction") && taken.some(isFactionScope);
  const gone = split ? [...taken, "faction"] : taken;
  return scopeNames.filter(
    (scope) => (split ? covers(held, scope) : held.includes(scope)) && !gone.includes(scope),
  );
}
