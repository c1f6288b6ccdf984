import { z } from "zod";
import { type EventRecord, eventType } from "#server/event-log/event-type";
import { findMember, isBanker } from "../positions/membership";
import { ListedVaultRequest, listedRequestRecord } from "./contract";
import { findVaultRequest } from "./store";
import { asOf } from "./vault-request";

/** Members read their own requests, bankers those of the faction. */
const record: EventRecord = {
  schema: ListedVaultRequest,
  find: async (ctx, { actor, factionId, subject }) => {
    const member = await findMember(ctx.database, actor.playerId, factionId);
    if (!member) return null;
    const found = await findVaultRequest(ctx.database.query, member.factionId, {
      id: Number(subject),
    });
    if (!found || (found.playerId !== actor.playerId && !isBanker(member))) return null;
    return listedRequestRecord(asOf(found, ctx.now()));
  },
};

const request = {
  tag: "Banking",
  scope: "faction:banking",
  told: "vault requests you can see (created, paid, cancelled, expired)",
  subject: "vault_request",
  data: z.object({}),
  example: { subject: "12", data: {} },
  href: ({ factionId, own }) =>
    `/faction/${factionId}/banking?search_type=all${own ? "" : "&scope=faction"}`,
  record,
} as const satisfies Partial<Parameters<typeof eventType>[0]>;

const readers = "Sent to the member that made the request, and to bankers.";
const closing = ["status", "closed_at", "closed_by"];

export const vaultRequestCreated = eventType({
  ...request,
  type: "vault_request.created",
  title: "Vault request created",
  description: `A member asks for a payment from the faction's vault. ${readers}`,
  changed: ["status", "requested_at"],
});

export const vaultRequestClaimed = eventType({
  ...request,
  type: "vault_request.claimed",
  title: "Vault request claimed",
  description: `A banker has begun to pay the request, or does not pay it any more: the claim was released, or its five minutes are over. ${readers}`,
  changed: [],
  data: z.object({
    claimed: z.boolean().meta({
      description: "True for a claim, false for its end.",
      examples: [true],
    }),
  }),
  example: { subject: "12", data: { claimed: true } },
});

export const vaultRequestFulfilled = eventType({
  ...request,
  type: "vault_request.fulfilled",
  title: "Vault request fulfilled",
  description: `A banker marked the request as paid. ${readers}`,
  changed: closing,
});

export const vaultRequestCancelled = eventType({
  ...request,
  type: "vault_request.cancelled",
  title: "Vault request cancelled",
  description: `The member or a banker cancelled the request. ${readers}`,
  changed: closing,
});

export const vaultRequestExpired = eventType({
  ...request,
  type: "vault_request.expired",
  title: "Vault request expired",
  description: `The request ended unpaid: its time is over, or the member left the faction. ${readers}`,
  changed: ["status", "closed_at"],
});

export const vaultRequestVerified = eventType({
  ...request,
  type: "vault_request.verified",
  title: "Vault request verified",
  description: `The search for the payment in the vault's news ended. ${readers}`,
  changed: ["closed_by"],
  data: z.object({
    verified: z
      .boolean()
      .meta({ description: "Whether the news shows the payment.", examples: [true] }),
  }),
  example: { subject: "12", data: { verified: true } },
});

export const vaultRequestEvents = [
  vaultRequestCreated,
  vaultRequestClaimed,
  vaultRequestFulfilled,
  vaultRequestCancelled,
  vaultRequestExpired,
  vaultRequestVerified,
];
