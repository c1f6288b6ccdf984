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
      return once(() => {
        all -= 1;
        const left = (taken.get(subject) ?? 1) - 1;
        if (left === 0) taken.delete(subject);
        else taken.set(subject, left);
      });
    },
  };
}

export function createSemaphore(most: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    /** @returns a release function */
    acquire: async (): Promise<() => void> => {
      if (taken < most) taken += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return once(() => {
        const next = waiting.shift();
        if (next) next();
        else taken -= 1;
      });
    },
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
