import { z } from "zod";

export const id = z.int().positive();
export const count = z.int().nonnegative();
export const seconds = z.int().min(1_000_000_000).max(9_999_999_999);
export const text = z.string().min(1);
const state = z.enum([
  "Okay",
  "Hospital",
  "Jail",
  "Traveling",
  "Abroad",
  "Federal",
  "Fallen",
  "Dormant",
  "Awoken",
]);

export const status = z.strictObject({
  description: text,
  details: z.string().nullable(),
  state,
  color: z.enum(["green", "red", "blue", "gray"]),
  until: seconds.nullable(),
  plane_image_type: text.optional(),
});
export const lastAction = z.strictObject({
  status: z.enum(["Online", "Idle", "Offline"]),
  timestamp: seconds,
  relative: z.string().regex(/^\d+ (minute|hour|day)s? ago$/),
});
const links = z.strictObject({ next: z.url().nullable(), prev: z.url().nullable() });
export const metadata = z.strictObject({ links });
