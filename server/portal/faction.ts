import { z } from "zod";
import { SnowflakeText } from "#server/chat/message";
import { AmountText, VaultCurrency } from "#server/faction/banking/contract";
import {
  LedgerQuery,
  ledgerCsv,
  listLedgerEntries,
  showLedger,
} from "#server/faction/banking/ledger";
import { readVaultBalance } from "#server/faction/banking/read-vault-balance";
import {
  cancelRequest,
  claimRequest,
  fulfilRequest,
  markPaidAgain,
  releaseClaim,
  requestOwnWithdrawal,
} from "#server/faction/banking/request-acts";
import {
  requireVisible,
  showBanking,
  showForFulfilment,
  showMemberBalances,
} from "#server/faction/banking/show-banking";
import { usualWaitingTime, waitingTimes } from "#server/faction/banking/vault-request";
import {
  addFactionListing,
  chooseChatServer,
  removeFactionListing,
  setBankingChannel,
  setEventsChannel,
  showEventsChannel,
} from "#server/faction/chat-link/link-acts";
import {
  listAdministeredServers,
  showChatServer,
  showFactionChat,
} from "#server/faction/chat-link/read-chat-link";
import {
  exportMembersCsv,
  showBoard,
  showDelayedCrimes,
  showHits,
  showMembers,
  showPendingVaultRequests,
} from "#server/faction/show-board";
import {
  appointDeciders,
  decideAccess,
  setBlockedByDefault,
} from "#server/oauth/faction-access/decide-access";
import { showApplicationAccess, showFactionAccess } from "#server/oauth/faction-access/show-access";
import { boundedList, integer, text } from "#server/platform/input-schemas";
import { FactionId } from "#server/rest/shapes";
import { resolverOf, router, userProcedure } from "#server/trpc/procedures";
import { changeStatSharing, importScores, showScoreSharing } from "../faction/scores";

/** An invalid word filters nothing. */
const word = text(50).trim().optional().catch(undefined);
const TypedFilter = z.object({ state: word, active: word, name: word });

/** Null if the player has no faction. */
export const factionBoardRouter = router({
  show: userProcedure.query(resolverOf(showBoard)),

  hits: userProcedure.query(resolverOf(showHits)),

  crimes: userProcedure.query(resolverOf(showDelayedCrimes)),

  vault: userProcedure.query(resolverOf(showPendingVaultRequests)),

  members: userProcedure.input(TypedFilter).query(resolverOf(showMembers)),

  membersFile: userProcedure.input(TypedFilter).query(resolverOf(exportMembersCsv)),
});

const largestImport = 250_000;

export const factionStatsRouter = router({
  own: userProcedure.query(resolverOf(showScoreSharing)),

  share: userProcedure
    .input(z.object({ sharing: z.enum(["everybody", "faction", "off"]) }))
    .mutation(resolverOf(changeStatSharing)),

  import: userProcedure
    .input(z.object({ text: text(largestImport) }))
    .mutation(resolverOf(importScores)),
});

export const factionAccessRouter = router({
  /** Null if the player has no faction. */
  show: userProcedure.query(resolverOf(showFactionAccess)),

  application: userProcedure
    .input(z.object({ clientId: text(100) }))
    .query(resolverOf(showApplicationAccess)),

  decide: userProcedure
    .input(
      z.object({
        clientIds: boundedList(text(100), { most: 1_000 }).refine(({ length }) => length > 0),
        blocked: z.boolean(),
      }),
    )
    .mutation(resolverOf(decideAccess)),

  limit: userProcedure
    .input(z.object({ onlyChosen: z.boolean() }))
    .mutation(resolverOf(setBlockedByDefault)),

  nameDeciders: userProcedure
    .input(z.object({ positions: boundedList(text(100), { most: 100 }) }))
    .mutation(resolverOf(appointDeciders)),
});

const Listing = z.object({ serverId: SnowflakeText, factionId: FactionId });

const Banking = z.object({
  channelId: SnowflakeText.nullable(),
  roleIds: boundedList(SnowflakeText, { most: 50 }),
});

const Events = z.object({
  channelId: SnowflakeText.nullable(),
  shown: boundedList(z.enum(["hits", "delays"]), { most: 2 }),
});

export const factionChatRouter = router({
  own: userProcedure.query(resolverOf(showFactionChat)),

  nameServer: userProcedure
    .input(z.object({ serverId: SnowflakeText.nullable(), shown: SnowflakeText.nullable() }))
    .mutation(resolverOf(chooseChatServer)),

  /** Null if the user may not choose the channel. */
  events: userProcedure.query(resolverOf(showEventsChannel)),

  setEvents: userProcedure
    .input(z.object({ choice: Events, shownBefore: Events }))
    .mutation(resolverOf(setEventsChannel)),

  servers: userProcedure.query(async ({ ctx }) =>
    (await listAdministeredServers(ctx.context, ctx.user)).map(({ serverId, name }) => ({
      serverId: String(serverId),
      name,
    })),
  ),

  server: userProcedure
    .input(z.object({ serverId: SnowflakeText }))
    .query(({ ctx, input }) => showChatServer(ctx.context, ctx.user, input.serverId)),

  list: userProcedure.input(Listing).mutation(resolverOf(addFactionListing)),

  unlist: userProcedure.input(Listing).mutation(resolverOf(removeFactionListing)),

  banking: userProcedure
    .input(Listing.extend({ ...Banking.shape, shown: Banking }))
    .mutation(resolverOf(setBankingChannel)),
});

const OneRequest = z.object({ factionId: integer, request: text(100) });
const longestReason = 200;
const Guid = z.object({ guid: text(100) });

/** Only the request's member and the faction's bankers see a request. */
const visibleRequest = userProcedure.input(Guid).use(async ({ ctx, input, next }) => {
  await requireVisible(ctx.context, ctx.user, input.guid);
  return next();
});

export const bankingRouter = router({
  page: userProcedure
    .input(
      z.object({
        currency: VaultCurrency.optional().catch(undefined),
        member: text(50).trim().optional().catch(undefined),
      }),
    )
    .query(resolverOf(showBanking)),

  /** Null for members that may not pay out. */
  balances: userProcedure.query(resolverOf(showMemberBalances)),

  readBalance: userProcedure.mutation(async ({ ctx }) => {
    await readVaultBalance(ctx.context, ctx.user);
  }),

  /** Null if the player has no faction. */
  ledger: userProcedure.input(LedgerQuery).query(resolverOf(showLedger)),

  ledgerFile: userProcedure
    .input(LedgerQuery.omit({ after: true }))
    .query(async ({ ctx, input }) =>
      ledgerCsv(await listLedgerEntries(ctx.context, ctx.user, input)),
    ),

  request: userProcedure
    .input(
      z.object({
        amount: AmountText,
        currency: VaultCurrency.default("money_balance"),
        waits: z.enum(waitingTimes.map(({ value }) => value)).default(usualWaitingTime),
        key: z.uuid().optional(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { id } = await requestOwnWithdrawal(ctx.context, ctx.user, input);
      return { id };
    }),

  /** Bankers may cancel any request of their faction. */
  cancel: userProcedure
    .input(
      OneRequest.extend({
        reason: text(longestReason)
          .trim()
          .transform((reason) => reason || undefined)
          .optional(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      await cancelRequest(ctx.context, ctx.user, input);
    }),

  claim: visibleRequest.mutation(async ({ ctx, input }) => {
    await claimRequest(ctx.context, ctx.user, { request: input.guid });
  }),

  release: visibleRequest.mutation(async ({ ctx, input }) => {
    await releaseClaim(ctx.context, ctx.user, { request: input.guid });
  }),

  fulfilment: userProcedure
    .input(Guid)
    .query(({ ctx, input }) => showForFulfilment(ctx.context, ctx.user, input.guid)),

  /** `again` if a payment marked as paid was not found. */
  fulfil: userProcedure
    .input(Guid.extend({ again: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await requireVisible(ctx.context, ctx.user, input.guid);
      const pay = input.again ? markPaidAgain : fulfilRequest;
      await pay(ctx.context, ctx.user, { request: input.guid });
    }),
});
