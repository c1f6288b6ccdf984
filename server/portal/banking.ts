import { z } from "zod";
import { AmountText, VaultCurrency } from "#server/faction/banking/contract";
import { LedgerQuery, ledgerCsv, readLedger, showLedger } from "#server/faction/banking/ledger";
import { readVaultBalance } from "#server/faction/banking/read-vault-balance";
import {
  cancelRequest,
  claimRequest,
  fulfilRequest,
  payAgain,
  releaseClaim,
} from "#server/faction/banking/request-acts";
import { requestOwnWithdrawal } from "#server/faction/banking/request-withdrawal";
import {
  requireVisible,
  showBanking,
  showForFulfilment,
  showMemberBalances,
} from "#server/faction/banking/show-banking";
import { usualWaitingTime, waitingTimes } from "#server/faction/banking/vault-request";
import { integer, text } from "#server/platform/input-schemas";
import { calling, router, userProcedure } from "#server/trpc/init";

const OneRequest = z.object({ factionId: integer, request: text(100) });
const longestReason = 200;
const Guid = z.object({ guid: text(100) });

/** Hidden from everyone but its member and the faction's bankers. */
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
    .query(calling(showBanking)),

  /** Null for members that may not pay out. */
  balances: userProcedure.query(calling(showMemberBalances)),

  /** Reads the whole vault from the game and stores it. */
  readBalance: userProcedure.mutation(async ({ ctx }) => {
    await readVaultBalance(ctx.context, ctx.user);
  }),

  /** Null without a faction. */
  ledger: userProcedure.input(LedgerQuery).query(calling(showLedger)),

  ledgerFile: userProcedure
    .input(LedgerQuery.omit({ after: true }))
    .query(async ({ ctx, input }) => ledgerCsv(await readLedger(ctx.context, ctx.user, input))),

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

  /** The user's own, or as a banker any of the faction. */
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

  /** `again`: marked as paid before, without a payment. */
  fulfil: userProcedure
    .input(Guid.extend({ again: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await requireVisible(ctx.context, ctx.user, input.guid);
      const pay = input.again ? payAgain : fulfilRequest;
      await pay(ctx.context, ctx.user, { request: input.guid });
    }),
});
