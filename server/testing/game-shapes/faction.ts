import { z } from "zod";
import { crime } from "./crimes";
import { attacks } from "./fights";
import { count, id, lastAction, metadata, seconds, status, text } from "./objects";

export const factionShapes = {
  basic: z.strictObject({
    basic: z.strictObject({
      id,
      name: text,
      tag: text,
      tag_image: z.string(),
      leader_id: count,
      co_leader_id: count,
      respect: count,
      days_old: count,
      capacity: count,
      members: count,
      is_enlisted: z.boolean().nullable(),
      rank: z.strictObject({
        level: count,
        name: text,
        division: count,
        position: count,
        wins: count,
      }),
      best_chain: count,
    }),
  }),
  members: z.strictObject({
    members: z.array(
      z.strictObject({
        id,
        name: text,
        position: text,
        level: z.int().min(1).max(100),
        days_in_faction: count,
        is_revivable: z.boolean(),
        is_on_wall: z.boolean(),
        is_in_oc: z.boolean(),
        has_early_discharge: z.boolean(),
        last_action: lastAction,
        status,
        revive_setting: text,
      }),
    ),
  }),
  positions: z.strictObject({
    positions: z.array(
      z.strictObject({ name: text, is_default: z.boolean(), abilities: z.array(text) }),
    ),
  }),
  crimes: z.strictObject({ crimes: z.array(crime).max(100), _metadata: metadata }),
  balance: z.strictObject({
    balance: z.strictObject({
      faction: z.strictObject({
        money: z.int(),
        points: z.int(),
        scope: z.literal("current"),
      }),
      members: z.array(z.strictObject({ id, username: text, money: z.int(), points: z.int() })),
    }),
  }),
  news: z.strictObject({
    news: z.array(z.strictObject({ id: text, text, timestamp: seconds })).max(100),
    _metadata: metadata,
  }),
  attacks,
};
