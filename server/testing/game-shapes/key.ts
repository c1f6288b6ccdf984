import { z } from "zod";
import { id, text } from "./objects";

export const keyShapes = {
  info: z.strictObject({
    info: z.strictObject({
      selections: z.record(z.string(), z.array(text)),
      user: z.strictObject({ id, faction_id: id.nullable(), company_id: id.nullable() }),
      access: z.strictObject({
        level: z.int().min(0).max(4),
        type: z.enum(["Custom", "Public Only", "Minimal Access", "Limited Access", "Full Access"]),
        faction: z.boolean(),
        company: z.boolean(),
        log: z.strictObject({ custom_permissions: z.boolean(), available: z.array(z.unknown()) }),
      }),
    }),
  }),
};
