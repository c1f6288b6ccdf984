import { z } from "zod";
import type { Context } from "#server/context";
import { defineEventType, type SubjectRecordSource } from "#server/event-log/event-type";
import { retaliationCutoff } from "./attacks/retaliation";
import { listOpenRetaliations } from "./attacks/store";
import { ListedVaultRequest, listedRequestRecord } from "./banking/contract";
import { findVaultRequest } from "./banking/store";
import { requestAsOf } from "./banking/vault-request";
import {
  CrimeDelay,
  delayRecord,
  FactionPosition,
  positionRecord,
  Retaliation,
  retaliationRecord,
} from "./contract";
import { readCrimeDelayPage } from "./crimes/store";
import { findMember, isBanker, type Member } from "./positions/membership";
import { listPositions } from "./positions/store";

type Shared = Partial<Parameters<typeof defineEventType>[0]>;

/** Only current members of the faction can read the record. */
const recordForMembers = (
  schema: z.ZodType,
  find: (ctx: Context, member: Member, subject: string) => Promise<unknown>,
): SubjectRecordSource => ({
  schema,
  find: async (ctx, { actor, factionId, subject }) => {
    const member = await findMember(ctx.database, actor.playerId, factionId);
    return member && find(ctx, member, subject);
  },
});

const hit = {
  tag: "Faction",
  scope: "faction:attacks",
  told: "retaliations (opened, closed)",
  subject: "retaliation",
  href: ({ factionId }) => `/faction/${factionId}/attacks/retaliations`,
  record: recordForMembers(Retaliation, async ({ database, now }, { factionId }, subject) => {
    const open = await listOpenRetaliations(database, {
      factionId,
      since: retaliationCutoff(now()),
    });
    const found = open.find(({ code }) => code === subject);
    return found && retaliationRecord(found);
  }),
} as const satisfies Shared;

const exampleHit = "3f9d0c4b7a5e4d1f8b6c2a1e0d9f8c7b";

export const retaliationOpened = defineEventType({
  ...hit,
  type: "retaliation.opened",
  title: "Retaliation opened",
  description: "A member was hit. The retaliation is open for five minutes.",
  changed: ["code", "attack_ended", "defender", "attacker"],
  data: z.object({}),
  example: { subject: exampleHit, data: {} },
});

export const retaliationClosed = defineEventType({
  ...hit,
  type: "retaliation.closed",
  title: "Retaliation closed",
  description: "A member hit back, or the five minutes are over.",
  changed: [],
  data: z.object({
    reason: z
      .enum(["answered", "expired"])
      .meta({ description: "What closed it.", examples: ["answered"] }),
  }),
  example: { subject: exampleHit, data: { reason: "answered" } },
});

export const attackEvents = [retaliationOpened, retaliationClosed];

const crime = {
  tag: "Faction",
  scope: "faction:crimes",
  told: "OCs (delayed, resumed)",
  subject: "organized_crime",
  data: z.object({}),
  example: { subject: "1402311", data: {} },
  href: ({ factionId, subject }) =>
    `/faction/${factionId}/crime/delays?before=${subject}&after=${subject}`,
  record: recordForMembers(z.array(CrimeDelay), async ({ database }, { factionId }, subject) => {
    const id = Number(subject);
    const asked = { factionId, lowest: id, highest: id, limit: 100, skip: 0 };
    return (await readCrimeDelayPage(database, asked)).delays.map(delayRecord);
  }),
} as const satisfies Shared;

export const crimeDelayed = defineEventType({
  ...crime,
  type: "crime.delayed",
  title: "OC delayed",
  description: "An OC is ready and a member delays it. Sent again when another member does.",
  changed: ["user_id", "oc_position", "delay_reason"],
});

export const crimeResumed = defineEventType({
  ...crime,
  type: "crime.resumed",
  title: "OC resumed",
  description: "No member delays the OC any more.",
  changed: [],
});

export const crimeEvents = [crimeDelayed, crimeResumed];

export const positionsChanged = defineEventType({
  type: "positions.changed",
  title: "Positions changed",
  description: "A position of the faction was added or removed, or what one allows has changed.",
  told: "changes of your faction's positions",
  tag: "Faction",
  scope: "faction",
  subject: "faction",
  changed: [],
  data: z.object({}),
  example: { subject: "40001", data: {} },
  href: () => "/faction/positions",
  record: recordForMembers(z.array(FactionPosition), async ({ database }, { factionId }) =>
    (await listPositions(database, factionId)).map((each) => positionRecord(factionId, each)),
  ),
});

const request = {
  tag: "Banking",
  scope: "faction:banking",
  told: "vault requests you can see (created, paid, cancelled, expired)",
  subject: "vault_request",
  data: z.object({}),
  example: { subject: "12", data: {} },
  href: ({ factionId, own }) =>
    `/faction/${factionId}/banking?search_type=all${own ? "" : "&scope=faction"}`,
  record: recordForMembers(ListedVaultRequest, async (ctx, member, subject) => {
    const { playerId, factionId } = member;
    const found = await findVaultRequest(ctx.database.query, factionId, { id: Number(subject) });
    if (!found || (found.playerId !== playerId && !isBanker(member))) return null;
    return listedRequestRecord(requestAsOf(found, ctx.now()));
  }),
} as const satisfies Shared;

const readers = "Sent to the member that made the request, and to bankers.";
const closing = ["status", "closed_at", "closed_by"];

export const vaultRequestCreated = defineEventType({
  ...request,
  type: "vault_request.created",
  title: "Vault request created",
  description: `A member asks for a payment from the faction's vault. ${readers}`,
  changed: ["status", "requested_at"],
});

export const vaultRequestClaimed = defineEventType({
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

export const vaultRequestFulfilled = defineEventType({
  ...request,
  type: "vault_request.fulfilled",
  title: "Vault request fulfilled",
  description: `A banker marked the request as paid. ${readers}`,
  changed: closing,
});

export const vaultRequestCancelled = defineEventType({
  ...request,
  type: "vault_request.cancelled",
  title: "Vault request cancelled",
  description: `The member or a banker cancelled the request. ${readers}`,
  changed: closing,
});

export const vaultRequestExpired = defineEventType({
  ...request,
  type: "vault_request.expired",
  title: "Vault request expired",
  description: `The request ended unpaid: its time is over, or the member left the faction. ${readers}`,
  changed: ["status", "closed_at"],
});

export const vaultRequestVerified = defineEventType({
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
