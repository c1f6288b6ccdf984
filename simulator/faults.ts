import { z } from "zod";
import { createRandom } from "./draw";

/** A date, or its text over HTTP. */
export const instant = z.union([z.date(), z.iso.datetime().transform((text) => new Date(text))]);

/** Omitted fields match every call; all given fields must match. */
export const Fault = z.strictObject({
  /** Prefix of a path, such as `faction/7001/members`. Each selection of a call has its own. */
  path: z.string().optional(),
  key: z.string().optional(),
  player: z.int().positive().optional(),
  /** Number of calls; default one, or unlimited with `until`. */
  times: z.int().positive().optional(),
  until: instant.optional(),
  /** Share of the matching calls, decided by the seed; default all. */
  probability: z.number().gt(0).max(1).optional(),
  code: z.int().optional(),
  http: z.int().min(200).max(599).optional(),
  /** Answers with 403 and a browser challenge page. */
  cloudflare: z.boolean().optional(),
  /** Delay in real milliseconds; the answer then follows the other fields. */
  delayMs: z.int().nonnegative().optional(),
  drop: z.boolean().optional(),
  malformed: z.boolean().optional(),
  truncate: z.boolean().optional(),
  huge: z.boolean().optional(),
  empty: z.boolean().optional(),
  encoding: z.boolean().optional(),
  /** The true JSON, with numbers as text, lists as objects and booleans as words. */
  wrongTypes: z.boolean().optional(),
  stale: z.boolean().optional(),
  redirect: z.string().optional(),
});
export type Fault = z.output<typeof Fault>;

/** Faults in force, oldest first. A call consumes the first that matches. */
export function createFaults(seed: number) {
  const draw = createRandom(seed, "faults");
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
