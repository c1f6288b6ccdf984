import { z } from "zod";
import { cancelRequest, fulfilRequest, payAgain } from "#server/faction/banking/close-request";
import { AmountText, VaultCurrency } from "#server/faction/banking/contract";
import { LedgerQuery, ledgerCsv, readLedger, showLedger } from "#server/faction/banking/ledger";
import { readHoldings } from "#server/faction/banking/read-vault-balance";
import { requestOwnWithdrawal } from "#server/faction/banking/request-withdrawal";
import { showBanking, showForFulfilment } from "#server/faction/banking/show-banking";
import { waitingTimes } from "#server/faction/banking/vault-request";
import { integer, text } from "#server/platform/input-schemas";
import { router, userProcedure } from "#server/trpc/init";

const OneRequest = z.object({ factionId: integer, request: text(100) });
const Guid = z.object({ guid: text(100) });

export const bankingRouter = router({
  page: userProcedure.query(({ ctx }) => showBanking(ctx.context, ctx.user)),

  balance: userProcedure.query(({ ctx }) => readHoldings(ctx.context, ctx.user)),

  /** Null without a faction. */
  ledger: userProcedure
    .input(LedgerQuery)
    .query(({ ctx, input }) => showLedger(ctx.context, ctx.user, input)),

  ledgerFile: userProcedure
    .input(LedgerQuery.omit({ after: true }))
    .query(async ({ ctx, input }) => ledgerCsv(await readLedger(ctx.context, ctx.user, input))),

  request: userProcedure
    .input(
      z.object({
        amount: AmountText,
        currency: VaultCurrency,
        waits: z.enum(waitingTimes.map(({ value }) => value)),
        key: z.uuid().optional(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { id } = await requestOwnWithdrawal(ctx.context, ctx.user, input);
      return { id };
    }),

  /** The user's own, or as a banker any of the faction. */
  cancel: userProcedure.input(OneRequest).mutation(async ({ ctx, input }) => {
    await cancelRequest(ctx.context, ctx.user, input);
  }),

  fulfilment: userProcedure
    .input(Guid)
    .query(({ ctx, input }) => showForFulfilment(ctx.context, ctx.user, input.guid)),

  /** `again`: marked as paid before, without a payment. */
  fulfil: userProcedure
    .input(Guid.extend({ again: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      // Hidden from everyone but its member and the faction's bankers, whatever the input.
      await showForFulfilment(ctx.context, ctx.user, input.guid);
      const player = ctx.user;
      await (input.again ? payAgain : fulfilRequest)(ctx.context, player, { request: input.guid });
    }),
});
