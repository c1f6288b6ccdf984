import { z } from "zod";
import {
  BankingNotConfigured,
  FactionNotLinked,
  GameError,
  GameTimeout,
  GameUnavailable,
  InsufficientFactionPermissions,
  InsufficientResourcePermissions,
  InsufficientVaultBalance,
  UnknownChatServer,
  UnknownFaction,
  UnknownFactionKey,
  UnknownUser,
  UnknownVaultRequest,
  VaultRequestNotPending,
} from "#server/failures";
import { writePlaceCursor } from "#server/platform/paging";
import { secondMs } from "#server/platform/time";
import { defineEndpoint, reply } from "#server/rest/endpoint";
import { isCursor } from "#server/rest/shapes";
import {
  AmountText,
  ListedVaultRequest,
  listedRequestRecord,
  RequestExpiry,
  VaultBalance,
  VaultCurrency,
  VaultRequestQuery,
  VaultRequestRecord,
  vaultRequestRecord,
} from "../contract";
import { readVaultBalance } from "../read-vault-balance";
import { cancelRequest, requestWithdrawal } from "../request-acts";
import { listRequests } from "../show-banking";

export const listVaultRequests = defineEndpoint({
  method: "GET",
  path: "/faction/<int:faction_id>/banking",
  title: "List Vault Requests",
  did: "Read your vault requests",
  description:
    "The user's own vault requests, or with `scope=faction` those of all members, for bankers; newest first. Where more " +
    'follow, the `Link` header names the next page (`rel="next"`).',
  tag: "Banking",
  scopes: ["faction:banking"],
  query: VaultRequestQuery,
  returns: z.array(ListedVaultRequest),
  fails: [UnknownFaction, InsufficientResourcePermissions, InsufficientFactionPermissions],
  etag: true,
  handle: async ({ ctx, by, params, query }) => {
    const { scope, limit, before, below } = query;
    const wanted = {
      factionId: params.faction_id,
      scope,
      limit,
      below,
      after: isCursor(before) ? { at: new Date(before.place), id: before.row } : undefined,
      pendingOnly: (query.search_type ?? query.type ?? "pending") === "pending",
      before: typeof before === "number" ? new Date(before * secondMs) : undefined,
    };
    const { requests, next } = await listRequests(ctx, by, wanted);
    const record = requests.map(listedRequestRecord);
    if (next === null) return record;
    return reply(record, {
      next: { before: writePlaceCursor({ place: next.at.getTime(), row: next.id }) },
    });
  },
});

export const createVaultRequest = defineEndpoint({
  method: "POST",
  path: "/faction/<int:faction_id>/banking",
  title: "Create Faction Vault Request",
  did: "Sent a vault request in your name",
  description:
    "Asks the bankers of the user's faction for a payment from its vault. The faction must be linked to a chat server with " +
    "banking set up, where the request is shown. Pending requests plus the new amount must not exceed the balance.",
  tag: "Banking",
  scopes: ["faction:banking"],
  body: z.object({ amount: AmountText, type: VaultCurrency, timeout: RequestExpiry }),
  returns: VaultRequestRecord,
  fails: [
    UnknownFaction,
    InsufficientResourcePermissions,
    UnknownChatServer,
    FactionNotLinked,
    BankingNotConfigured,
    UnknownFactionKey,
    GameError,
    GameUnavailable,
    GameTimeout,
    InsufficientVaultBalance,
  ],
  idempotent: true,
  handle: async ({ ctx, by, params, body }) => {
    const requested = { amount: body.amount, currency: body.type, expiresAt: body.timeout };
    return vaultRequestRecord(
      await requestWithdrawal(ctx, by, { factionId: params.faction_id, ...requested }),
    );
  },
});

export const cancelVaultRequest = defineEndpoint({
  method: "DELETE",
  path: "/faction/<int:faction_id>/banking/<request_id>",
  title: "Cancel Faction Vault Request",
  did: "Cancelled a vault request",
  description:
    "Cancels a pending request, named by its id or its guid. Everybody may cancel their own; a member with banking " +
    "permissions any of the faction. A request of another faction is answered as one that does not exist.",
  tag: "Banking",
  scopes: ["faction:banking"],
  fails: [
    UnknownFaction,
    InsufficientResourcePermissions,
    UnknownVaultRequest,
    InsufficientFactionPermissions,
    VaultRequestNotPending,
  ],
  handle: async ({ ctx, by, params }) => {
    await cancelRequest(ctx, by, { factionId: params.faction_id, request: params.request_id });
  },
});

export const getVaultBalance = defineEndpoint({
  method: "GET",
  path: "/faction/banking/vault",
  title: "Get Faction Member Balance",
  did: "Read your balance in your faction's vault",
  description:
    "What the faction's vault keeps for the user, read from the game with the key of a member who may see it. Members who " +
    "ask within two seconds share one reading; who causes more than a few readings a minute gets 4000. " +
    "1102 without a faction, 1201 where no member's key can read it, 1100 where the vault's list does not name the user.",
  tag: "Banking",
  scopes: ["faction:banking", "service_key:usage"],
  returns: VaultBalance,
  fails: [UnknownFaction, UnknownFactionKey, UnknownUser, GameError, GameUnavailable, GameTimeout],
  handle: async ({ ctx, by }) => {
    const { playerId, factionId, money, points } = await readVaultBalance(ctx, by);
    return {
      player_id: playerId,
      faction_id: factionId,
      money_balance: money,
      points_balance: points,
    };
  },
});
