import { eq } from "drizzle-orm";
import { auditLog } from "#db/schema/operations";
import type { PortalUser, RequestSource } from "#server/actor";
import {
  beginSecondFactor,
  confirmSecondFactor,
} from "#server/auth/second-factor/second-factor-acts";
import { completeSecondStep, finishSignIn } from "#server/auth/second-factor/second-step";
import type { ProvedAccount } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { authenticatorApp } from "./authenticator-app";
import type { TestContext } from "./test-context";
import { mintUser, sentFrom, visitor } from "./world";

/** Confirms with the previous step's code, which leaves the current one unused. */
export async function enableSecondFactor(
  ctx: Context,
  user: PortalUser,
  keep: readonly string[] = [],
) {
  const { secret } = await beginSecondFactor(ctx, user);
  const app = authenticatorApp(secret, ctx.now);
  const by = sentFrom(user, { address: `confirm ${user.accountId}` });
  const { backupCodes } = await confirmSecondFactor(ctx, by, {
    code: app.code(-1),
    keep,
  });
  return { secret, app, backupCodes };
}

export async function proveFirstFactor(
  ctx: Context,
  user: PortalUser,
  more: Partial<ProvedAccount> = {},
) {
  const { accountId, playerId } = user;
  const admitted = await ctx.database.transaction((tx) =>
    finishSignIn(ctx, tx, {
      ...{ kind: "player", accountId, playerId, factor: "game-key", previousSession: null },
      from: { requestId: ctx.ids.request(), address: "192.0.2.7", userAgent: "Firefox" },
      ...more,
    }),
  );
  if (admitted.kind !== "second-step") throw new Error("No second factor was asked for.");
  return admitted.secondStepToken;
}

export function secondFactorWorld({ ctx, clock }: Pick<TestContext, "ctx" | "clock">) {
  let addresses = 0;
  /** A new address per try, so that tests do not share windows. */
  const source = () => ({
    requestId: ctx.ids.request(),
    address: `198.51.100.${addresses++}`,
    userAgent: "Firefox",
  });
  return {
    source,
    complete: (
      token: string | null,
      code: string,
      {
        previousSession = null,
        ...from
      }: Partial<RequestSource & { previousSession: string | null }> = {},
    ) =>
      completeSecondStep(ctx, sentFrom(visitor, { ...source(), ...from }), {
        token,
        code,
        previousSession,
      }),
    secured: async () => {
      // A rate-limit window is a clock minute.
      clock.advance(60);
      const user = await mintUser(ctx);
      return { user, ...(await enableSecondFactor(ctx, user)) };
    },
    actsOf: async (user: PortalUser) => {
      const of = eq(auditLog.accountId, user.accountId);
      const events = await ctx.database.query
        .select()
        .from(auditLog)
        .where(of)
        .orderBy(auditLog.id);
      return events.map(({ act }) => act);
    },
  };
}
