/** Something that goes wrong on purpose. What is left out matches every call; what is given must all match. */
export interface Fault {
  /** Beginning of the path below the version: `user`, `faction/7001/members`. */
  path?: string;
  key?: string;
  player?: number;
  /** Answers with an error code of the game. */
  code?: number;
  /** Answers with this HTTP status and a page of HTML. */
  http?: number;
  /** Real milliseconds before the answer, which comes then as usual or as the other fields say. */
  delayMs?: number;
  /** Cuts the connection. */
  drop?: boolean;
  /** Answers with text that is not JSON. */
  malformed?: boolean;
  /** Answers with the first half of the true answer. */
  truncate?: boolean;
  /** Answers with a redirect to this address. */
  redirect?: string;
  /** How many calls it hits; one if left out. */
  times?: number;
}

/** The faults in force, oldest first. The first that matches a call is spent on it. */
export function createFaults() {
  let faults: { fault: Fault; left: number }[] = [];

  return {
    add: (fault: Fault) => {
      faults.push({ fault, left: fault.times ?? 1 });
    },
    clear: () => {
      faults = [];
    },
    count: () => faults.length,
    take(call: { path: string; key: string | null; player: number | null }): Fault | null {
      const hit = faults.find(
        ({ fault }) =>
          (fault.path === undefined || call.path === fault.path || call.path.startsWith(`${fault.path}/`)) &&
          (fault.key === undefined || fault.key === call.key) &&
          (fault.player === undefined || fault.player === call.player),
      );
      if (!hit) return null;
      hit.left -= 1;
      if (hit.left <= 0) faults = faults.filter((entry) => entry !== hit);
      return hit.fault;
    },
  };
}
export type Faults = ReturnType<typeof createFaults>;
