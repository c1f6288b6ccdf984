import { z } from "zod";
import { count, id, seconds, text } from "./objects";

export const positionInfo = z.strictObject({
  id: z.string().regex(/^P[1-6]$/),
  label: text,
  number: z.int().min(1).max(6).optional(),
});
const slot = z.strictObject({
  position: text,
  position_info: positionInfo,
  item_requirement: z
    .strictObject({ id, is_reusable: z.boolean(), is_available: z.boolean() })
    .nullable(),
  user: z
    .strictObject({
      id,
      joined_at: seconds,
      progress: z.number().min(0).max(100),
      outcome: text.nullable(),
      item_outcome: z.null(),
    })
    .nullable(),
  checkpoint_pass_rate: z.int().min(0).max(100),
});
export const crime = z.strictObject({
  id,
  previous_crime_id: id.nullable(),
  name: text,
  difficulty: z.int().min(1).max(10),
  status: z.enum(["Recruiting", "Planning", "Successful", "Failure", "Expired"]),
  created_at: seconds,
  planning_at: seconds.nullable(),
  ready_at: seconds.nullable(),
  expired_at: seconds,
  executed_at: seconds.nullable(),
  slots: z.array(slot).max(6),
  rewards: z
    .strictObject({
      money: count,
      items: z.array(z.strictObject({ id, quantity: count })),
      respect: count,
      scope: z.int(),
      payout: z.null(),
    })
    .nullable(),
});
