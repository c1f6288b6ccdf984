/** What one id has used: when, and how much. */
interface Use {
  readonly at: number;
  readonly amount: number;
}

/** A limit for each id in any `windowMs`. The window frees itself as the oldest use leaves it. */
export function createRollingLimit(windowMs: number) {
  const uses = new Map<number | string, Use[]>();

  function recentOf(id: number | string, now: Date): Use[] {
    const recent = (uses.get(id) ?? []).filter(({ at }) => at > now.getTime() - windowMs);
    uses.set(id, recent);
    return recent;
  }
  const used = (id: number | string, now: Date): number =>
    recentOf(id, now).reduce((sum, { amount }) => sum + amount, 0);

  return {
    /** How much of the window is used. */
    used,
    count(id: number | string, now: Date, amount: number): void {
      if (amount > 0) recentOf(id, now).push({ at: now.getTime(), amount });
    },
    /** Counts one more at `now` and gives true; where `limit` is reached, counts nothing and gives false. */
    admit(id: number | string, now: Date, limit: number): boolean {
      const recent = recentOf(id, now);
      const admitted = recent.length < limit;
      if (admitted) recent.push({ at: now.getTime(), amount: 1 });
      return admitted;
    },
  };
}
