import { dayMs, daySeconds, hourSeconds, toUnixSeconds } from "#server/platform/time";
import type { Areas } from "#simulator/areas";
import type { Key, KeyLevel } from "#simulator/keys";
import type { Player } from "#simulator/players";

/** The call that a selection answers, and the parts of the game that it reads. */
export interface Ask extends Areas {
  readonly now: Date;
  readonly owner: Player;
  readonly key: Key;
  /** The whole request, for selections that read parameters. */
  readonly url: URL;
  /** What the key may read, by section. */
  readonly readable: Readonly<Record<string, readonly string[]>>;
}

/** One selection of a section: what a key must be to read it, and what it answers. */
export interface Selection<Subject> {
  /** The lowest access level of a key that reads it. */
  readonly level: Exclude<KeyLevel, 0>;
  /** Readable about the key owner's own player or faction only. */
  readonly own?: boolean;
  /** The owner's position must grant Faction API Access. */
  readonly factionAccess?: boolean;
  /** The code with which this subject has no such answer, or null. */
  refuses?(subject: Subject, ask: Ask): number | null;
  answer(subject: Subject, ask: Ask): Record<string, unknown>;
}

/** A section of the API with its subject's type hidden, so that all of them fit one table. */
export interface Section {
  readonly selections: Readonly<Record<string, Omit<Selection<never>, "answer" | "refuses">>>;
  /** Whether `id` names something; without an id, whether the owner has one of it. */
  exists(id: string | null, ask: Ask): boolean;
  /** The code with which the subject itself has no such answer, or null. */
  refuses(selection: string, id: string | null, ask: Ask): number | null;
  answer(selection: string, id: string | null, ask: Ask): Record<string, unknown>;
}

/** Builds a section from how its subject is found and what may be asked about it. `find` gives null for what does not exist. */
export function section<Subject>(parts: {
  find(id: string | null, ask: Ask): Subject | null;
  selections: Readonly<Record<string, Selection<Subject>>>;
}): Section {
  return {
    selections: parts.selections,
    exists: (id, ask) => parts.find(id, ask) !== null,
    refuses: (name, id, ask) => {
      const subject = parts.find(id, ask);
      return subject === null ? null : (parts.selections[name]?.refuses?.(subject, ask) ?? null);
    },
    answer: (name, id, ask) => {
      const subject = parts.find(id, ask);
      const selection = parts.selections[name];
      return subject === null || !selection ? {} : selection.answer(subject, ask);
    },
  };
}

/** Whole days from one moment to another; 0 where the second is earlier. */
export const daysBetween = (from: Date, to: Date) =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / dayMs));

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
    seconds < hourSeconds
      ? [60, "minute"]
      : seconds < daySeconds
        ? [hourSeconds, "hour"]
        : [daySeconds, "day"];
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
