import { z } from "zod";
import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { defineEventType, type NewEvent } from "#server/event-log/event-type";
import { recordEvents } from "#server/event-log/record-events";
import { type GrantAncestor, lockGrantsOf } from "./store";

const Scopes = z.array(z.string()).meta({
  description: "The scopes that the grant still opens.",
  examples: [["identity", "faction:attacks"]],
});

const grant = {
  tag: "Grants",
  scope: null,
  subject: "grant",
  changed: [],
} as const;

const subject = "0198c2f4-6a0e-7cc3-9a51-3f1c7e5a2b10";
const scopes = ["identity", "faction:attacks"];

export const grantApproved = defineEventType({
  ...grant,
  type: "grant.approved",
  title: "Grant approved",
  description:
    "A player approved your app, or gave back a scope. Events of the scopes follow from now on.",
  told: "you approve it",
  data: z.object({ scopes: Scopes }),
  example: { subject, data: { scopes } },
});

export const grantNarrowed = defineEventType({
  ...grant,
  type: "grant.narrowed",
  title: "Grant narrowed",
  description: "The player took scopes from your application. Tokens lost them at this moment.",
  told: "you take permissions from it",
  data: z.object({ scopes: Scopes }),
  example: { subject, data: { scopes: ["identity"] } },
});

const pauses = ["player", "operator"] as const;

export const grantPaused = defineEventType({
  ...grant,
  type: "grant.paused",
  title: "Grant paused",
  description:
    "The player paused your application, or the operator banned the player. Until it is resumed refreshes answer `invalid_grant`, and calls 4008 or, of a banned player, 401.",
  told: "you pause or resume it",
  data: z.object({
    reason: z.enum(pauses).meta({ description: "Who paused it.", examples: ["player"] }),
  }),
  example: { subject, data: { reason: "player" } },
});

export const grantResumed = defineEventType({
  ...grant,
  type: "grant.resumed",
  title: "Grant resumed",
  description: "The player resumed your app, or a ban was lifted. Existing tokens work again.",
  told: "you pause or resume it",
  data: z.object({}),
  example: { subject, data: {} },
});

const endings = [
  "player",
  "client",
  "developer",
  "admin",
  "code_reuse",
  "refresh_reuse",
  "account_deleted",
  "expired",
] as const;

export const grantEnded = defineEventType({
  ...grant,
  type: "grant.ended",
  title: "Grant ended",
  description:
    "The grant's tokens are dead. It is told once for each grant, with the reason, and needs no consent. Delete what you keep of the player.",
  told: "its access ends",
  data: z.object({
    reason: z.enum(endings).meta({ description: "Who or what ended it.", examples: ["player"] }),
  }),
  example: { subject, data: { reason: "player" } },
});

export const factionAccessChanged = defineEventType({
  type: "faction_access.changed",
  title: "Faction access changed",
  description:
    "The player's faction blocked your application, or allows it again. While it is blocked, calls for the faction's data answer 4023 and its events stop; tokens and the player's own data stay as they are. It is sent once for each player, with one of the player's grants as `grant_id`.",
  told: "your faction blocks or allows it",
  tag: "Grants",
  scope: null,
  subject: "faction",
  changed: [],
  data: z.object({
    access: z
      .enum(["blocked", "allowed"])
      .meta({ description: "What holds from now on.", examples: ["blocked"] }),
  }),
  example: { subject: "40001", data: { access: "blocked" } },
});

export const grantEvents = [
  grantApproved,
  grantNarrowed,
  grantPaused,
  grantResumed,
  grantEnded,
  factionAccessChanged,
];

type GrantChange =
  | { readonly type: typeof grantApproved | typeof grantNarrowed | typeof grantResumed }
  | { readonly type: typeof grantPaused; readonly reason: (typeof pauses)[number] };

export async function recordGrantEvents(
  ctx: Context,
  tx: Queryable,
  above: GrantAncestor,
  change: GrantChange,
): Promise<void> {
  const below = await lockGrantsOf(tx, above, ctx.now());
  const events = below.map(
    ({ grantId, clientId, playerId, scopes: open }): NewEvent => ({
      type: change.type,
      subject: grantId,
      grantId,
      clientId,
      playerId,
      data: "reason" in change ? { reason: change.reason } : { scopes: open },
    }),
  );
  await recordEvents(ctx, tx, events);
}
