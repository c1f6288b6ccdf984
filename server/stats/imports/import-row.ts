import { z } from "zod";
import { secondMs } from "#server/platform/durations";

const largestId = 2 ** 31 - 1;
/** Ten thousand times what the strongest players have: more is a slip. */
const largestStat = 1e15;
/** The game began in this year; the text of a date may have become a number on its way. */
const earliest = Date.UTC(2004, 0, 1) / secondMs;

const whole = (least: number, most: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,16}$/.test(value.trim()) ? Number(value) : value),
    z.int("must be a whole number").min(least, `must be at least ${least}`).max(most, `must be at most ${most}`),
  );
const stat = whole(0, largestStat);

/**
 * The battle stats of one player in a faction's export from a stat site, as a line of CSV or an object of JSON says them: texts and
 * numbers alike. `total` may be left out; `timestamp` is when they were seen, in Unix seconds.
 */
export const ImportRow = z
  .object({
    id: whole(1, largestId),
    strength: stat,
    defense: stat,
    speed: stat,
    dexterity: stat,
    total: z.preprocess(
      (value) => (value === "" || value === null ? undefined : value),
      whole(0, 4 * largestStat).optional(),
    ),
    timestamp: whole(earliest, 4_000_000_000),
  })
  .refine(
    ({ strength, defense, speed, dexterity, total }) =>
      total === undefined || total === strength + defense + speed + dexterity,
    {
      path: ["total"],
      message: "must be the sum of the four",
    },
  )
  .transform(({ id, timestamp, total: _, ...stats }) => ({
    playerId: id,
    ...stats,
    seen: new Date(timestamp * secondMs),
  }));
export type ImportRow = z.output<typeof ImportRow>;

/** As many players are taken at once. */
export const mostRows = 5_000;
