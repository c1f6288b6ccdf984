import { daySeconds, hourSeconds, minuteSeconds, toUnixSeconds } from "#server/platform/time";
import { createRandom } from "./draw";
import { homeCity, places } from "./names";
import type { Player } from "./players";

export type StatusState =
  | "Okay"
  | "Hospital"
  | "Jail"
  | "Traveling"
  | "Abroad"
  | "Federal"
  | "Fallen";

export interface PlayerStatus {
  readonly state: StatusState;
  readonly description: string;
  readonly details: string | null;
  readonly until: Date | null;
}

type Body = Pick<Player, "index" | "activity" | "silentSince" | "fate">;
/** At most one thing happens to a player in each stretch of twelve hours. */
const stretch = 12 * hourSeconds;
const quiet: PlayerStatus = { state: "Okay", description: "Okay", details: null, until: null };

const instant = (seconds: number) => new Date(seconds * 1000);
const minutesLeft = (seconds: number) => `${Math.max(1, Math.ceil(seconds / minuteSeconds))} mins`;

export function statusOf(
  state: StatusState,
  details: { until: Date | null; place: string; now: Date },
): PlayerStatus {
  const { until, place, now } = details;
  const left = until === null ? 0 : (until.getTime() - now.getTime()) / 1000;
  const words: Record<StatusState, [description: string, details: string | null]> = {
    Okay: ["Okay", null],
    Hospital: [`In hospital for ${minutesLeft(left)}`, "Lost a fight"],
    Jail: [`In jail for ${minutesLeft(left)}`, "Caught in the act"],
    Traveling: [place === homeCity ? `Returning to ${homeCity}` : `Traveling to ${place}`, null],
    Abroad: [`In ${place}`, null],
    Federal: [
      until
        ? `In federal jail for ${Math.ceil(left / daySeconds)} days`
        : "In federal jail permanently",
      "Banned",
    ],
    Fallen: ["Fallen", null],
  };
  const [description, reason] = words[state];
  return { state, description, details: reason, until };
}

/** Pure functions of (player, time), so nothing runs in the background. */
export function createStatusMachine(seed: number) {
  const draw = createRandom(seed, "status");
  const actions = createRandom(seed, "actions");

  /** @param second within the stretch */
  function travel(index: number, n: number, second: number): PlayerStatus {
    const goal = draw.bits(index, n + 1) % places.length;
    const place = places[goal] ?? homeCity;
    const way = (20 + 26 * goal) * minuteSeconds;
    const stay = draw.between(index, n + 2, [10, 60]) * minuteSeconds;
    const since = second - draw.between(index, n + 3, [0, stretch - 2 * way - stay]);
    if (since < 0 || since >= 2 * way + stay) return quiet;
    if (since < way) return { ...quiet, state: "Traveling", description: `Traveling to ${place}` };
    if (since < way + stay) return { ...quiet, state: "Abroad", description: `In ${place}` };
    return { ...quiet, state: "Traveling", description: `Returning to ${homeCity} from ${place}` };
  }

  function stay(
    state: "Hospital" | "Jail",
    range: readonly [number, number],
    when: { index: number; n: number; began: number; now: number },
  ): PlayerStatus {
    const length = draw.between(when.index, when.n + 1, range) * minuteSeconds;
    const start = when.began + draw.between(when.index, when.n + 2, [0, stretch - length]);
    if (when.now < start || when.now >= start + length) return quiet;
    return statusOf(state, {
      until: instant(start + length),
      place: homeCity,
      now: instant(when.now),
    });
  }

  function status(player: Body, at: Date): PlayerStatus {
    const forEver = { until: null, place: homeCity, now: at };
    if (player.fate === "fallen") return statusOf("Fallen", forEver);
    if (player.fate === "federal") return statusOf("Federal", forEver);
    if (player.silentSince) return quiet;
    const { index, activity } = player;
    const now = toUnixSeconds(at);
    const shifted = now + draw.between(index, 0, [0, stretch - 1]);
    const cell = Math.floor(shifted / stretch);
    const second = shifted - cell * stretch;
    const n = cell * 8;
    const roll = draw.unit(index, n);
    if (roll < 0.1 + 0.25 * activity) return travel(index, n, second);
    if (roll < 0.2 + 0.5 * activity)
      return stay("Hospital", [15, 240], { index, n, began: now - second, now });
    if (roll > 0.94) return stay("Jail", [5, 90], { index, n, began: now - second, now });
    return quiet;
  }

  /** Last moment online up to `now`, in the day from `began`. Sessions end with their day. */
  function lastOn(player: Body, began: number, now: number): number | null {
    const count = 1 + Math.floor(player.activity * 6);
    const seen = Array.from({ length: count }, (_, session) => {
      const n = (began / daySeconds) * 16 + session * 2;
      const start = began + Math.floor(daySeconds * actions.unit(player.index, n));
      const length = actions.between(player.index, n + 1, [2, 50]) * minuteSeconds;
      return start <= now ? Math.min(now, began + daySeconds - 1, start + length) : 0;
    });
    return Math.max(...seen) || null;
  }

  /** Never moves back as time advances. */
  function lastAction(player: Body, at: Date): Date {
    if (player.silentSince) return player.silentSince;
    const now = toUnixSeconds(at);
    const today = now - (now % daySeconds);
    return instant(lastOn(player, today, now) ?? lastOn(player, today - daySeconds, now) ?? today);
  }

  return { status, lastAction };
}
