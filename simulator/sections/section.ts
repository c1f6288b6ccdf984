import { dayMs, daySeconds, hourSeconds, toUnixSeconds } from "#server/platform/time";
import type { GameAreas } from "#simulator/areas";
import type { Key, KeyLevel } from "#simulator/keys";
import type { Player } from "#simulator/players";

export interface CallContext extends GameAreas {
  readonly now: Date;
  readonly owner: Player;
  readonly key: Key;
  readonly url: URL;
  /** Selections that the key may read, by section. */
  readonly readable: Readonly<Record<string, readonly string[]>>;
}

export interface Selection<Subject> {
  /** Minimum access level of the key. */
  readonly level: Exclude<KeyLevel, 0>;
  /** Only about the key owner's own player or faction. */
  readonly own?: boolean;
  /** The owner's position must grant Faction API Access. */
  readonly factionAccess?: boolean;
  refuses?(subject: Subject, ask: CallContext): number | null;
  answer(subject: Subject, ask: CallContext): Record<string, unknown>;
}

/** Hides the subject's type, so that all sections fit one table. */
export interface Section {
  readonly selections: Readonly<Record<string, Omit<Selection<never>, "answer" | "refuses">>>;
  /** Without an id, the owner's own subject; null if unknown. */
  find(id: string | null, ask: CallContext): Found | null;
}

export interface Found {
  /** Error code if the subject has no such answer, else null. */
  refuses(selection: string): number | null;
  answer(selection: string): Record<string, unknown>;
}

export const section = <Subject>(parts: {
  find(id: string | null, ask: CallContext): Subject | null;
  selections: Readonly<Record<string, Selection<Subject>>>;
}): Section => ({
  selections: parts.selections,
  find: (id, ask) => {
    const subject = parts.find(id, ask);
    return (
      subject && {
        refuses: (name) => parts.selections[name]?.refuses?.(subject, ask) ?? null,
        answer: (name) => parts.selections[name]?.answer(subject, ask) ?? {},
      }
    );
  },
});

export const daysBetween = (from: Date, to: Date) =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / dayMs));

const colours: Readonly<Record<string, string>> = {
  Okay: "green",
  Traveling: "blue",
  Abroad: "blue",
  Fallen: "gray",
};

export function statusObject(player: Player, { world, now }: CallContext) {
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
    seconds < hourSeconds
      ? [60, "minute"]
      : seconds < daySeconds
        ? [hourSeconds, "hour"]
        : [daySeconds, "day"];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** The `last_action` object: online below five minutes, idle below thirty. */
export function lastActionObject(player: Player, { world, now }: CallContext) {
  const last = world.lastAction(player, now);
  const seconds = Math.max(0, toUnixSeconds(now) - toUnixSeconds(last));
  return {
    status: seconds < 300 ? "Online" : seconds < 1_800 ? "Idle" : "Offline",
    timestamp: toUnixSeconds(last),
    relative: ago(seconds),
  };
}
