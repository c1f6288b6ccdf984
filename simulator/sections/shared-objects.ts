import { daySeconds, hourSeconds } from "#server/platform/durations";
import { toUnixSeconds } from "#server/platform/time";
import type { Player } from "#simulator/players";
import type { Ask } from "./section";

const colours: Readonly<Record<string, string>> = {
  Okay: "green",
  Traveling: "blue",
  Abroad: "blue",
  Fallen: "gray",
};

/** The `status` object of profiles and member rows. */
export function statusObject(player: Player, { world, now }: Ask) {
  const { state, description, details, until } = world.status(player, now);
  return {
    description,
    details,
    state,
    color: colours[state] ?? "red",
    until: until && toUnixSeconds(until),
    ...(state === "Traveling" ? { plane_image_type: "airliner" } : {}),
  };
}

function ago(seconds: number): string {
  const [size, unit] =
    seconds < hourSeconds ? [60, "minute"] : seconds < daySeconds ? [hourSeconds, "hour"] : [daySeconds, "day"];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** The `last_action` object: online below five minutes, idle below thirty. */
export function lastActionObject(player: Player, { world, now }: Ask) {
  const last = world.lastAction(player, now);
  const seconds = Math.max(0, toUnixSeconds(now) - toUnixSeconds(last));
  return {
    status: seconds < 300 ? "Online" : seconds < 1_800 ? "Idle" : "Offline",
    timestamp: toUnixSeconds(last),
    relative: ago(seconds),
  };
}
