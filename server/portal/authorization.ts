import { z } from "zod";
import { previewOwnFaction } from "#server/faction/preview-own-faction";
import { decideRequest } from "#server/oauth/authorize/decide-request";
import { CallbackQuery } from "#server/oauth/authorize/read-callback";
import { restartAddress } from "#server/oauth/authorize/resume-authorization";
import { showCallback } from "#server/oauth/authorize/show-callback";
import { showRequest } from "#server/oauth/authorize/show-request";
import { isRequestFailure, type RequestFailureKind } from "#server/oauth/request-failure";
import { boundedList } from "#server/platform/bounded-list";
import { publicProcedure, router, userProcedure } from "#server/trpc/init";
import { refusal } from "#server/trpc/refusal";

const ScopeNames = boundedList(z.string().max(100), { most: 50 });
const Decision = z.object({
  requestId: z.uuid(),
  decision: z.enum(["approve", "deny"]),
  until: z.enum(["day", "month", "revoked", "earlier"]).optional(),
  /** The optional scopes that are allowed. The needed ones are not named: one approves all of them, or denies. */
  ticked: ScopeNames.optional(),
  /** What the page showed: an answer to another question than the one that stands is not taken. */
  shown: z.object({ allowed: ScopeNames, optional: ScopeNames }).optional(),
});

/** What became of a request that cannot be shown or decided, as the consent page tells it apart. */
export const requestReasons = {
  unknown: "REQUEST_UNKNOWN",
  expired: "REQUEST_EXPIRED",
  decided: "REQUEST_DECIDED",
  foreign: "REQUEST_FOREIGN",
  changed: "REQUEST_CHANGED",
  "stale-sign-in": "SIGN_IN_STALE",
  unconfirmed: "CONFIRMATION_WANTED",
} as const satisfies Record<RequestFailureKind, string>;

/** A parked authorization request: who asks for what, and the player's answer. */
export const authorizationRouter = router({
  show: userProcedure
    .input(z.object({ requestId: z.uuid() }))
    .query(({ ctx, input }) =>
      showRequest(
        ctx.context,
        { requestId: input.requestId, browserId: ctx.browserId, user: ctx.user },
        ctx.origin,
      ).catch(translate),
    ),

  /** What scopes of the faction would open of what is stored; null for a player without one. */
  factionPreview: userProcedure.query(({ ctx }) => previewOwnFaction(ctx.context, ctx.user)),

  /** How to ask a request anew that waited too long, or was meant for another player; null where there is no such way. */
  restart: userProcedure
    .input(z.object({ requestId: z.uuid() }))
    .query(({ ctx, input }) => restartAddress(ctx.context, { requestId: input.requestId, browserId: ctx.browserId })),

  /** What came to an application's hosted callback, for the visitor of the page. */
  callback: publicProcedure
    .input(z.object({ clientId: z.string().max(100), sent: CallbackQuery }))
    .query(({ ctx, input }) => showCallback(ctx.context, input)),

  /** The answer's `location` is the application's: the browser goes there. */
  decide: userProcedure.input(Decision).mutation(({ ctx, input }) =>
    decideRequest(ctx.context, {
      ...input,
      browserId: ctx.browserId,
      user: ctx.user,
      origin: ctx.origin,
    }).catch(translate),
  ),
});

const conflicts: ReadonlySet<RequestFailureKind> = new Set(["expired", "decided", "changed"]);

function translate(thrown: unknown): never {
  if (!isRequestFailure(thrown)) throw thrown;
  const { kind, message } = thrown;
  const code = kind === "unknown" ? "NOT_FOUND" : conflicts.has(kind) ? "CONFLICT" : "FORBIDDEN";
  throw refusal({ code, reason: requestReasons[kind], message, cause: thrown });
}
