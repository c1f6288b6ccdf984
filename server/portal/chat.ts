import { z } from "zod";
import { anonymous } from "#server/actor";
import { showChatAccount, unlinkChatAccount } from "#server/auth/chat/chat-account-link";
import { finishChatSignIn, startChatSignIn } from "#server/auth/chat/chat-sign-in";
import { browserCookie } from "#server/auth/cookies";
import { safeNext } from "#server/auth/safe-next";
import { text } from "#server/platform/input-schemas";
import { completeSignIn, countSignIn, Destination } from "#server/portal/complete-sign-in";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { calling, publicProcedure, router, userProcedure } from "#server/trpc/init";
import type { PortalContext } from "#server/trpc/portal-context";

const accountPage = "/account";
const consentPage = /^\/consent\/([0-9a-f-]{36})$/;
const sent = text(4_096).nullable();

export const chatRouter = router({
  offered: publicProcedure.query(({ ctx }) => ctx.context.settings.chatSignIn !== undefined),

  /** `location` is an address of the chat. */
  startSignIn: publicProcedure.input(Destination).mutation(({ ctx, input }) => {
    const next = input.requestId ? `/consent/${input.requestId}` : safeNext(input.next);
    return start(ctx, { next, accountId: null });
  }),

  startLink: confirmedProcedure.mutation(({ ctx }) =>
    start(ctx, { next: accountPage, accountId: ctx.user.accountId }),
  ),

  /** Only the state proves its origin. */
  finish: publicProcedure
    .input(z.object({ state: sent, code: sent, error: sent }))
    .mutation(async ({ ctx, input }) => {
      const { context, user, from, browserId, sessionToken: previousSession } = ctx;
      const answer = { ...input, browserId, previousSession };
      const trying = finishChatSignIn(context, user ?? anonymous(from), answer);
      const outcome = await countSignIn(context, "chat", trying);
      const { kind, next } = outcome;
      if (kind === "linked") return { location: `${next}?chat=linked` };
      const requestId = consentPage.exec(next ?? "")?.[1];
      if (kind === "admitted") return completeSignIn(ctx, outcome.admitted, { next, requestId });
      const { refused, linking } = outcome;
      return { refused, linking, next: requestId ? null : next, requestId: requestId ?? null };
    }),

  link: userProcedure.query(calling(showChatAccount)),

  unlink: confirmedProcedure.mutation(calling(unlinkChatAccount)),
});

async function start(ctx: PortalContext, asked: { next: string; accountId: string | null }) {
  const { context } = ctx;
  const known = { browserId: ctx.browserId, address: ctx.from.address };
  const { location, browserId } = await startChatSignIn(context, { ...asked, ...known });
  ctx.setCookie(browserCookie(browserId, context.settings.https));
  return { location };
}
