import { z } from "zod";
import { attacks } from "./fights";
import { count, id, lastAction, seconds, status, text } from "./objects";

const profile = z.strictObject({
  id,
  name: text,
  level: z.int().min(1).max(100),
  gender: z.enum(["Male", "Female", "Enby"]),
  status,
  rank: text,
  title: text,
  age: count,
  signed_up: seconds,
  faction_id: id.nullable(),
  honor_id: id.nullable(),
  property: z.strictObject({ id, name: text }),
  image: z.url().nullable(),
  revivable: z.boolean(),
  role: z.enum(["Civilian", "NPC", "Officer", "Moderator", "Helper", "Admin"]),
  spouse: z.strictObject({ id, name: text, days_married: count }).nullable(),
  awards: count,
  friends: count,
  enemies: count,
  forum_posts: count,
  karma: z.int(),
  last_action: lastAction,
  life: z.strictObject({ current: count, maximum: count }),
  donator_status: text.nullable(),
});

const trained = z.strictObject({
  value: count,
  modifier: z.int(),
  modifiers: z.array(z.strictObject({ effect: text, value: z.number(), type: text })),
});
const battlestats = z.strictObject({
  strength: trained,
  defense: trained,
  speed: trained,
  dexterity: trained,
  total: count,
});

type Counters = number | null | { [name: string]: Counters };
const counters: z.ZodType<Counters> = z.lazy(() =>
  z.union([z.number(), z.null(), z.record(z.string(), counters)]),
);

export const userShapes = {
  profile: z.strictObject({ profile }),
  discord: z.strictObject({
    discord: z.strictObject({
      user_id: id,
      discord_id: z.string().regex(/^([1-9][0-9]{16,18})?$/),
    }),
  }),
  faction: z.strictObject({
    faction: z
      .strictObject({
        id,
        name: text,
        tag: text,
        tag_image: z.string(),
        position: text,
        days_in_faction: count,
      })
      .nullable(),
  }),
  battlestats: z.strictObject({ battlestats }),
  personalstats: z.strictObject({
    personalstats: z.record(z.string(), counters),
  }),
  attacks,
};
