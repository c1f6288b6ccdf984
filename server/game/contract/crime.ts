import { z } from "zod";
import { Member } from "./faction";
import { id, instant, instantOrNever, smallCount } from "./fields";

/** Two neighbours in one row of the game: what a slot needs, and who is in it. */
const Slot = z
  .object({
    position: z.string(),
    position_info: z.object({ id: z.string(), number: smallCount }),
    item_requirement: z.object({ id, is_available: z.boolean() }).nullish(),
    user: z.object({ id, joined_at: instant, progress: z.number() }).nullish(),
    checkpoint_pass_rate: z.number().min(0).max(100),
  })
  .transform(({ position, position_info, item_requirement, user, checkpoint_pass_rate }) => ({
    slot: position_info.id,
    position,
    positionNumber: position_info.number,
    itemRequired: item_requirement ? { itemId: item_requirement.id, available: item_requirement.is_available } : null,
    member: user ? { playerId: user.id, joinedAt: user.joined_at, progress: user.progress } : null,
    passRate: checkpoint_pass_rate,
  }));

const CrimeRow = z
  .object({
    id,
    name: z.string().min(1),
    difficulty: smallCount,
    /** Open: an unknown word is no crime that plans. */
    status: z.string(),
    created_at: instant,
    planning_at: instantOrNever,
    ready_at: instantOrNever,
    expired_at: instantOrNever,
    executed_at: instantOrNever,
    slots: z.array(Slot),
  })
  .transform((row) => ({
    crimeId: row.id,
    name: row.name,
    difficulty: row.difficulty,
    status: row.status,
    createdAt: row.created_at,
    planningAt: row.planning_at,
    readyAt: row.ready_at,
    expiredAt: row.expired_at,
    executedAt: row.executed_at,
    slots: row.slots,
  }));
export type Crime = z.output<typeof CrimeRow>;

/** A list; a faction on the old crimes answers with a map by id instead, which is read as null. */
const crimeList = z.union([z.array(CrimeRow), z.record(z.string(), z.unknown()).transform(() => null)]);

/** `faction/crimes`: null for a faction on the old crimes. */
export const FactionCrimes = z.object({ crimes: crimeList }).transform(({ crimes }) => crimes);

/** `faction?selections=crimes,members,basic`: crimes with everybody's state at the same moment. */
export const FactionCrimesWithMembers = z
  .object({ crimes: crimeList, members: z.array(Member), basic: z.object({ id }) })
  .transform(({ crimes, members, basic }) => ({ factionId: basic.id, crimes, members }));
