import { z } from "zod";
import { createDraw } from "./draw";

const instant = z.union([z.date(), z.iso.datetime().transform((text) => new Date(text))]);

/** Which calls a fault hits. What is left out matches every call; what is given must all match. */
export const FaultMatch = z.strictObject({
  /** Beginning of the path below the version: `user`, `faction/7001/members`. A call of several selections counts as each of them. */
  path: z.string().optional(),
  key: z.string().optional(),
  player: z.int().positive().optional(),
  /** How many calls it hits; left out: one, or with `until` every one. */
  times: z.int().positive().optional(),
  /** From this moment on, it is over. */
  until: instant.optional(),
  /** Which share of the matching calls it hits, above 0; left out: all. Decided by the seed. */
  probability: z.number().gt(0).max(1).optional(),
});

/** Something that goes wrong on purpose. */
export const Fault = FaultMatch.extend({
  /** Answers with an error code of the game. */
  code: z.int().optional(),
  /** Answers with this HTTP status and a page of HTML. */
  http: z.int().min(200).max(599).optional(),
  /** Answers with 403 and a page that wants to see a browser. */
  cloudflare: z.boolean().optional(),
  /** Real milliseconds before the answer, which comes then as usual or as the other fields say. */
  delayMs: z.int().nonnegative().optional(),
  /** Cuts the connection. */
  drop: z.boolean().optional(),
  /** Answers with text that is not JSON. */
  malformed: z.boolean().optional(),
  /** Answers with the first half of the true answer. */
  truncate: z.boolean().optional(),
  /** Answers with 50 MB. */
  huge: z.boolean().optional(),
  /** Answers with nothing. */
  empty: z.boolean().optional(),
  /** Answers with bytes that are not UTF-8. */
  encoding: z.boolean().optional(),
  /** Answers with the true JSON, but numbers are text, lists are objects and yes and no are words. */
  wrongTypes: z.boolean().optional(),
  /** Answers from memory however old it is, where the question was asked before. */
  stale: z.boolean().optional(),
  /** Answers with a redirect to this address. */
  redirect: z.string().optional(),
});
export type Fault = z.output<typeof Fault>;

/** The faults in force, oldest first. The first that matches a call is spent on it. */
export function createFaults(seed: number) {
  const draw = createDraw(seed, "faults");
  let faults: { fault: Fault; left: number; number: number; matched: number }[] = [];
  let added = 0;

  const lives = (fault: Fault, now: Date) => fault.until === undefined || now < fault.until;

  return {
    add: (fault: Fault) => {
      const left = fault.times ?? (fault.until ? Number.POSITIVE_INFINITY : 1);
      faults.push({ fault, left, number: added, matched: 0 });
      added += 1;
    },
    clear: () => {
      faults = [];
    },
    /** What is left of the faults, to be added again. */
    list: (): Fault[] =>
      faults.map(({ fault, left }) => ({
        ...fault,
        ...(Number.isFinite(left) ? { times: left } : {}),
      })),
    /** @param call `paths`: the path below the version, and those of its selections */
    take(call: {
      paths: readonly string[];
      key: string | null;
      player: number | null;
      now: Date;
    }): Fault | null {
      faults = faults.filter(({ fault }) => lives(fault, call.now));
      const hit = faults.find((entry) => {
        const { path, key, player, probability = 1 } = entry.fault;
        const matches =
          (path === undefined ||
            call.paths.some((asked) => asked === path || asked.startsWith(`${path}/`))) &&
          (key === undefined || key === call.key) &&
          (player === undefined || player === call.player);
        if (!matches) return false;
        entry.matched += 1;
        return draw.unit(entry.number, entry.matched) < probability;
      });
      if (!hit) return null;
      hit.left -= 1;
      if (hit.left <= 0) faults = faults.filter((entry) => entry !== hit);
      return hit.fault;
    },
    count: (now: Date) => faults.filter(({ fault }) => lives(fault, now)).length,
  };
}
export type Faults = ReturnType<typeof createFaults>;
