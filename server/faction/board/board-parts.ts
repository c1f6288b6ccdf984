import type { EventType } from "#server/event-log/event-type";
import { memberEvents } from "#server/users/membership/events";
import { attackEvents } from "../attacks/events";
import { vaultRequestEvents } from "../banking/events";
import { crimeEvents } from "../crimes/events";
import { positionsChanged } from "../positions/events";

/** What an open board asks for by itself once it has changed. */
export const boardParts = ["hits", "crimes", "vault", "members"] as const;

export type BoardPart = (typeof boardParts)[number];

const namesOf = (types: readonly EventType[]) => new Set(types.map(({ type }) => type));

const changedBy: Readonly<Record<BoardPart, ReadonlySet<string>>> = {
  hits: namesOf(attackEvents),
  crimes: namesOf(crimeEvents),
  // Who pays what follows from the positions.
  vault: namesOf([...vaultRequestEvents, positionsChanged]),
  members: namesOf([...memberEvents, positionsChanged]),
};

/** The parts of a board that an event of this type changes. */
export const partsChangedBy = (type: string): BoardPart[] => boardParts.filter((part) => changedBy[part].has(type));
