export function createSlots() {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    size: () => all,
    /** @returns a release function, or the limit reached */
    take: (
      subject: string,
      most: { readonly each: number; readonly all: number },
    ): (() => void) | "each" | "all" => {
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
