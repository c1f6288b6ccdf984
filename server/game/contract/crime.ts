import { z } from "zod";
import { Member, membersCounted } from "./faction";
import { id, instant, instantOrNever, smallCount, text } from "./fields";
import { rowsOf } from "./rows";

/** "Muscle #2": role and slot. A role with one slot has no number. */
const label = /^(.*?)(?: #([1-9][0-9]?))?$/;

/** `position_info.number` is deprecated; the label has the same value. */
const Slot = z.object({
  position: z.string().nullish(),
  position_info: z
    .object({ id: z.string().nullish(), label: z.string().nullish(), number: smallCount.nullish() })
    .nullish(),
  user: z.object({ id }).nullish(),
});

function slotOf({ position, position_info: info, user }: z.output<typeof Slot>, index: number) {
  const [, role = "", number] = label.exec(info?.label ?? "") ?? [];
  return {
    slot: info?.id || `P${index + 1}`,
    position: position || role,
    positionIndex: info?.number ?? Number(number ?? 1),
    playerId: user?.id ?? null,
  };
}

const CrimeRow = z
  .object({
    id,
    name: text,
    /** Not an enum: unknown states count as not planning. */
    status: z.string(),
    created_at: instant,
    ready_at: instantOrNever,
    expired_at: instantOrNever,
    executed_at: instantOrNever,
    slots: z.array(Slot),
  })
  .transform((row) => ({
    crimeId: row.id,
    name: row.name,
    status: row.status,
    createdAt: row.created_at,
    readyAt: row.ready_at,
    expiredAt: row.expired_at,
    executedAt: row.executed_at,
    slots: row.slots.map(slotOf),
  }));
export type Crime = z.output<typeof CrimeRow>;

/** A faction on the old crimes answers with a map by id, read as null. */
const crimeList = z.union([
  rowsOf(CrimeRow),
  z.record(z.string(), z.unknown()).transform(() => null),
]);

export const FactionCrimes = z
  .object({ crimes: crimeList, basic: z.object({ id }) })
  .transform(({ crimes, basic }) => ({ factionId: basic.id, crimes }));

/** `faction?selections=crimes,members,basic`: crimes and members as of one moment. */
export const FactionCrimesWithMembers = z
  .object({
    crimes: crimeList,
    members: rowsOf(Member),
    basic: z.object({ id, members: membersCounted }),
  })
  .transform(({ crimes, members, basic }) => ({
    factionId: basic.id,
    crimes,
    members,
    membersCounted: basic.members,
  }));
