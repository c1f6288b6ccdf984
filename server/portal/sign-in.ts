import { z } from "zod";
import { type AnonymousActor, createAnonymousActor } from "#server/actor";
import {
  type ChatOutcome,
  finishChatSignIn,
  showChatAccount,
  startChatSignIn,
  unlinkChatAccount,
} from "#server/auth/chat/chat-sign-in";
import { browserCookie, secondStepCookie, sessionCookie } from "#server/auth/cookies";
import { AnswerText, signInWithPasskey } from "#server/auth/passkeys/passkey-proof";
import { safeNext } from "#server/auth/safe-next";
import {
  completeSecondStep,
  type SignInOutcome,
  secondStepSeconds,
  showSecondStep,
} from "#server/auth/second-factor/second-step";
import { isSignInRefused } from "#server/auth/sign-in-refused";
import { signInWithGameKey } from "#server/auth/sign-in-with-game-key";
import type { Context } from "#server/context";
import { allPurposes } from "#server/game/selections";
import { isAuthorizationFailure } from "#server/oauth/authorize/pending-authorization";
import { showPendingRequest } from "#server/oauth/authorize/show-request";
import { resumeRequest } from "#server/oauth/authorize/start-authorization";
import { boundedList, text } from "#server/platform/input-schemas";
import { scopeNames } from "#server/scopes";
import type { PortalContext } from "#server/trpc/portal-context";
import {
  confirmedProcedure,
  publicProcedure,
  resolverOf,
  router,
  userProcedure,
} from "#server/trpc/procedures";
import { describeKeyToCreate } from "#server/users/keys/new-key";
import { demoPeople } from "#simulator/demo-people";

const Destination = z.object({
  /** A path of the portal. */
  next: text(4_000).optional().catch(undefined),
  /** Takes precedence over `next`. */
  requestId: z.uuid().optional().catch(undefined),
});

async function completeSignIn(
  ctx: PortalContext,
  admitted: SignInOutcome,
  to: z.output<typeof Destination>,
): Promise<{ location: string }> {
  const { https } = ctx.context.settings;
  if (admitted.kind === "second-step") {
    ctx.setCookie(secondStepCookie(admitted.secondStepToken, { https, maxAge: secondStepSeconds }));
    const query = new URLSearchParams();
    if (to.requestId) query.set("request", to.requestId);
    else if (to.next) query.set("next", safeNext(to.next));
    return {
      location: query.size === 0 ? "/sign-in/second-step" : `/sign-in/second-step?${query}`,
    };
  }
  ctx.setCookie(sessionCookie(admitted.sessionToken, https));
  if (ctx.secondStepToken !== null) ctx.setCookie(secondStepCookie("", { https, maxAge: 0 }));
  return {
    location: to.requestId ? await onward(ctx, admitted.user, to.requestId) : safeNext(to.next),
  };
}

/** Skips the consent page if a remembered consent suffices. */
async function onward(
  ctx: PortalContext,
  user: NonNullable<PortalContext["user"]>,
  requestId: string,
) {
  try {
    const { browserId } = ctx;
    const onward = await resumeRequest(ctx.context, user, { requestId, browserId });
    return onward.kind === "redirect" ? onward.location : `/consent/${requestId}`;
  } catch (thrown) {
    if (isAuthorizationFailure(thrown)) return `/consent/${requestId}`;
    throw thrown;
  }
}

type SignInMethod = "game-key" | "chat" | "passkey" | "second-factor";

/** Outcomes are labelled by kind, or as in `signInRefusals`. */
export async function countSignInOutcome<Outcome extends SignInOutcome | ChatOutcome>(
  { metrics }: Pick<Context, "metrics">,
  method: SignInMethod,
  trying: Promise<Outcome>,
): Promise<Outcome> {
  try {
    const outcome = await trying;
    metrics.signIns.labels(method, wordOf(outcome)).inc();
    return outcome;
  } catch (thrown) {
    metrics.signIns.labels(method, isSignInRefused(thrown) ? thrown.reason : "failed").inc();
    throw thrown;
  }
}

function wordOf(outcome: SignInOutcome | ChatOutcome): string {
  if (outcome.kind === "admitted") return outcome.admitted.kind;
  return outcome.kind === "refused" ? outcome.refused : outcome.kind;
}

interface Visit {
  readonly browserId: string | null;
  /** Token of the second step. */
  readonly token: string | null;
  readonly previousSession: string | null;
}

/** A refusal's reason is one of `signInRefusals`. */
const signInBy =
  <Given>(
    method: SignInMethod,
    verb: (ctx: Context, by: AnonymousActor, given: Given & Visit) => Promise<SignInOutcome>,
  ) =>
  async ({ ctx, input }: { ctx: PortalContext; input: Given & z.output<typeof Destination> }) => {
    const { context, from, browserId, secondStepToken: token, sessionToken } = ctx;
    const given = { ...input, browserId, token, previousSession: sessionToken };
    const admitted = await countSignInOutcome(
      context,
      method,
      verb(context, createAnonymousActor(from), given),
    );
    return completeSignIn(ctx, admitted, input);
  };

export const signInRouter = router({
  withGameKey: publicProcedure
    .input(Destination.extend({ gameKey: text(1_000) }))
    .mutation(signInBy<{ gameKey: string }>("game-key", signInWithGameKey)),

  withPasskey: publicProcedure
    .input(Destination.extend({ answer: AnswerText }))
    .mutation(signInBy<{ answer: string }>("passkey", signInWithPasskey)),

  withCode: publicProcedure
    .input(Destination.extend({ code: text(100) }))
    .mutation(signInBy<{ code: string }>("second-factor", completeSecondStep)),

  secondStep: publicProcedure.query(({ ctx }) => showSecondStep(ctx.context, ctx.secondStepToken)),

  /** Null if another browser started the request. */
  waiting: publicProcedure
    .input(z.object({ requestId: text(20_000) }))
    .query(({ ctx, input }) =>
      showPendingRequest(ctx.context, { ...input, browserId: ctx.browserId }),
    ),

  newKey: publicProcedure
    .input(
      z.object({
        purposes: boundedList(z.enum(allPurposes), { most: allPurposes.length }).optional(),
        scopes: boundedList(z.enum(scopeNames), { most: scopeNames.length }).optional(),
      }),
    )
    .query(({ ctx, input }) => describeKeyToCreate(ctx.context, ctx.user, input)),

  demoPlayers: publicProcedure.query(({ ctx }) =>
    ctx.context.settings.demo === "off" ? [] : demoPeople,
  ),
});

const accountPage = "/account";
const consentPage = /^\/consent\/([0-9a-f-]{36})$/;
const sent = text(4_096).nullable();

export const chatRouter = router({
  offered: publicProcedure.query(({ ctx }) => ctx.context.settings.chatSignIn !== undefined),

  startSignIn: publicProcedure.input(Destination).mutation(({ ctx, input }) => {
    const next = input.requestId ? `/consent/${input.requestId}` : safeNext(input.next);
    return start(ctx, { next, accountId: null });
  }),

  startLink: confirmedProcedure.mutation(({ ctx }) =>
    start(ctx, { next: accountPage, accountId: ctx.user.accountId }),
  ),

  /** Only the state proves the origin of the answer. */
  finish: publicProcedure
    .input(z.object({ state: sent, code: sent, error: sent }))
    .mutation(async ({ ctx, input }) => {
      const { context, user, from, browserId, sessionToken: previousSession } = ctx;
      const answer = { ...input, browserId, previousSession };
      const trying = finishChatSignIn(context, user ?? createAnonymousActor(from), answer);
      const outcome = await countSignInOutcome(context, "chat", trying);
      const { kind, next } = outcome;
      if (kind === "linked") return { location: `${next}?chat=linked` };
      const requestId = consentPage.exec(next ?? "")?.[1];
      if (kind === "admitted") return completeSignIn(ctx, outcome.admitted, { next, requestId });
      const { refused, linking } = outcome;
      return { refused, linking, next: requestId ? null : next, requestId: requestId ?? null };
    }),

  link: userProcedure.query(resolverOf(showChatAccount)),

  unlink: confirmedProcedure.mutation(resolverOf(unlinkChatAccount)),
});

async function start(ctx: PortalContext, asked: { next: string; accountId: string | null }) {
  const { context } = ctx;
  const known = { browserId: ctx.browserId, address: ctx.from.address };
  const { location, browserId } = await startChatSignIn(context, { ...asked, ...known });
  ctx.setCookie(browserCookie(browserId, context.settings.https));
  return { location };
}
