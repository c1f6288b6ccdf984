import { z } from "zod";
import { createOperator } from "#server/actor";
import { banAccount, searchAccounts, unbanAccount } from "#server/admin/accounts";
import { Reason } from "#server/admin/contract";
import { resetSecondFactor } from "#server/auth/second-factor/second-factor-acts";
import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { revokeAllGrants } from "#server/oauth/clients/live-grants/live-grants";
import { defineCommand } from "./command";

const player = z
  .string({ error: "name the player by their number in the game." })
  .regex(/^\d{1,9}$/, "name the player by their number in the game.")
  .describe("the player's number in the game");
export const ReasonArgument = Reason.describe("why, in a sentence that the player will read");

const One = z.object({ player });
const OneWithReason = z.object({ player, reason: ReasonArgument });

async function findAccountOf(ctx: Context, number: string) {
  const { rows } = await searchAccounts(ctx, { search: number, state: "any", page: 1 });
  const [account] = rows;
  if (!account)
    throw UnknownUser.because({
      message: `Nobody with the number ${Number(number)} has an account here.`,
    });
  return { ...account, who: `${account.name} [${account.playerId}]` };
}

const warnsOf = (words: string) => async (ctx: Context, input: { readonly player: string }) =>
  `${(await findAccountOf(ctx, input.player)).who} ${words}`;

export const accountCommands = [
  defineCommand({
    name: "ban",
    words:
      "Bans a player: sign-ins and tokens end, nobody signs in, and their applications are suspended.",
    takes: ["player"],
    input: OneWithReason,
    warns: warnsOf("would be banned, and their applications suspended."),
    run: async (ctx, input) => {
      const { accountId, who } = await findAccountOf(ctx, input.player);
      await banAccount(ctx, createOperator(ctx), { accountId, reason: input.reason });
      return { lines: [`${who} is banned.`], record: { accountId, banned: true } };
    },
  }),
  defineCommand({
    name: "unban",
    words:
      "Lifts a ban: what was allowed is alive again, and so are the applications that the ban suspended.",
    takes: ["player"],
    input: One,
    run: async (ctx, input) => {
      const { accountId, who } = await findAccountOf(ctx, input.player);
      await unbanAccount(ctx, createOperator(ctx), { accountId });
      return { lines: [`The ban of ${who} is lifted.`], record: { accountId, banned: false } };
    },
  }),
  defineCommand({
    name: "revoke-player",
    words:
      "Ends all tokens that applications have of a player. What the player allowed stays; to keep them out, ban them.",
    takes: ["player"],
    input: OneWithReason,
    warns: warnsOf("would have to sign in again in every application."),
    run: async (ctx, input) => {
      const { accountId, who } = await findAccountOf(ctx, input.player);
      const ended = await revokeAllGrants(ctx, createOperator(ctx), {
        of: { accountId },
        reason: input.reason,
      });
      return {
        lines: [`Grants of ${who} that ended, with all their tokens: ${ended.grants}.`],
        record: { accountId, ...ended },
      };
    },
  }),
  defineCommand({
    name: "reset-second-factor",
    words:
      "Takes the second factor and the passkeys off an account whose owner lost them, and signs them out everywhere.",
    takes: ["player"],
    input: OneWithReason,
    warns: warnsOf("would sign in without a second factor or passkey."),
    run: async (ctx, input) => {
      const { accountId, who } = await findAccountOf(ctx, input.player);
      await resetSecondFactor(ctx, createOperator(ctx), { accountId, reason: input.reason });
      return {
        lines: [`The second factor of ${who} is off, and the passkeys are removed.`],
        record: { accountId, secondFactor: false },
      };
    },
  }),
];
