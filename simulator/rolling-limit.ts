/**
 * At most `limit` admissions of one id in any `windowMs`. A refused call does not count: the window frees itself as the oldest
 * admission leaves it.
 */
export function createRollingLimit(limit: number, windowMs: number) {
  const admissions = new Map<number | string, number[]>();

  return {
    /** Admits a call at `now`, or gives false. */
    admit(id: number | string, now: Date): boolean {
      const moment = now.getTime();
      const recent = (admissions.get(id) ?? []).filter((earlier) => earlier > moment - windowMs);
      const admitted = recent.length < limit;
      if (admitted) recent.push(moment);
      admissions.set(id, recent);
      return admitted;
    },
  };
}
