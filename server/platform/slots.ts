/** Places in use, by subject and in all. */
export interface Slots {
  /** @returns a release function, or the limit reached */
  take(
    subject: string,
    most: { readonly each: number; readonly all: number },
  ): (() => void) | "each" | "all";
  size(): number;
}

export function createSlots(): Slots {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    size: () => all,
    take: (subject, most) => {
      const own = taken.get(subject) ?? 0;
      if (own >= most.each) return "each";
      if (all >= most.all) return "all";
      all += 1;
      taken.set(subject, own + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        all -= 1;
        const left = (taken.get(subject) ?? 1) - 1;
        if (left === 0) taken.delete(subject);
        else taken.set(subject, left);
      };
    },
  };
}
