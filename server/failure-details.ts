import { z } from "zod";

const scopes = z.array(z.string());

export const KnownDetails = z
  .object({
    errors: z.array(z.object({ field: z.string(), message: z.string() })).meta({
      description: "Of `UnknownElement`: each field that is wrong, and why.",
    }),
    required: scopes.meta({
      description: "Of `InsufficientPermissions`: scopes that the call needs.",
    }),
    granted: scopes.meta({ description: "Of `InsufficientPermissions`: scopes of the token." }),
    missing: scopes.meta({
      description: "Of `InsufficientPermissions`: scopes that the token lacks.",
    }),
    policy: z.string().meta({ description: "Of `TooManyRequests`: which limit is reached." }),
    limit: z.int().meta({ description: "Of `TooManyRequests`: what the limit allows." }),
    reset: z
      .int()
      .meta({ description: "Of `TooManyRequests`: seconds until there is room again." }),
    balance: z.int().meta({ description: "Of `InsufficientVaultBalance`: the balance." }),
    pending: z
      .int()
      .meta({ description: "Of `InsufficientVaultBalance`: how much of it is requested already." }),
    game_code: z
      .int()
      .meta({ description: "Of `GameError` and `GameUnavailable`: the code of the game's API." }),
    reason: z.string().meta({
      description:
        "Of `GameUnavailable`: `key_budget`, `address_budget`, `read_limit` or `key_changed`. Of a cursor of events: `unknown`, `expired` or `restored`.",
    }),
    oldest: z
      .string()
      .meta({ description: "Of a cursor of events: the cursor at which the log begins." }),
  })
  .partial();

type Details = z.input<typeof KnownDetails>;
type Frozen<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

export type KnownDetails = { readonly [Name in keyof Details]: Frozen<Details[Name]> };
