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

/** Payments from the vault of the user's own faction. */
export const bankingRouter = router({
  /** The vault's page; null for a player without a faction. */
  page: userProcedure.query(({ ctx }) => showBanking(ctx.context, ctx.user)),

  /** The user's balance, read live from the game, and what of it is requested. */
  balance: userProcedure.query(({ ctx }) => readHoldings(ctx.context, ctx.user)),

  /** Closed requests with totals; null for a player without a faction. */
  ledger: userProcedure
    .input(LedgerQuery)
    .query(({ ctx, input }) => showLedger(ctx.context, ctx.user, input)),

  /** The same requests as the text of a CSV file. */
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
      const { id } = await requestOwnWithdrawal(
        ctx.context,
        { ...ctx.user, origin: ctx.origin },
        input,
      );
      return { id };
    }),

  /** The user's own request, or as a banker anybody's of the faction. */
  cancel: userProcedure.input(OneRequest).mutation(async ({ ctx, input }) => {
    await cancelRequest(ctx.context, { ...ctx.user, origin: ctx.origin }, input);
  }),

  /** A request for its banker, before the payment and after it. Changes nothing. */
  fulfilment: userProcedure
    .input(Guid)
    .query(({ ctx, input }) => showForFulfilment(ctx.context, ctx.user, input.guid)),

  /** `again`: it was marked as paid before, and the payment was not found. */
  fulfil: userProcedure
    .input(Guid.extend({ again: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      // To others than its member and bankers of the faction the request does not exist, whatever they send.
      await showForFulfilment(ctx.context, ctx.user, input.guid);
      const player = { ...ctx.user, origin: ctx.origin };
      await (input.again ? payAgain : fulfilRequest)(ctx.context, player, { request: input.guid });
    }),
});
