import { lockAppState, setAppState } from "#db/app-state";
import type { ClientActor } from "#server/actor";
import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { hourMs } from "#server/platform/time";
import { notifyTeam } from "../clients/team/notify-team";
import { endExpiredGrants, endGrants } from "./end-store";

const misuses = {
  "code-reuse": {
    act: "code.reused",
    notice: "code-reused",
    toPlayer: "the same sign-in was completed twice",
    toDeveloper: "an authorization code was used a second time",
  },
  "refresh-reuse": {
    act: "refresh_token.reused",
    notice: "refresh-reused",
    toPlayer: "an old credential of it was used again",
    toDeveloper: "a refresh token that had been replaced was used again",
  },
} as const;

/**
 * A secret that is used twice may be stolen (RFC 9700 sections 4.5 and 4.14). The player's other
 * devices keep their grants.
 */
export async function endMisusedGrant(
  ctx: Context,
  by: ClientActor,
  grant: {
    readonly grantId: string;
    readonly accountId: string;
    readonly reason: keyof typeof misuses;
  },
): Promise<void> {
  const { client } = by;
  const { grantId, accountId, reason } = grant;
  const { act, notice, toPlayer, toDeveloper } = misuses[reason];
  await ctx.database.tokenPool.transaction(async (tx) => {
    if ((await endGrants(ctx, tx, { grantId }, { reason, now: ctx.now() })) === 0) return;
    await ctx.audit(tx, by, act, { accountId, details: { grantId } });
    await ctx.notify(tx, {
      accountId,
      kind: notice,
      text: `We ended the access that "${client.name}" had from one device, because ${toPlayer}: a copy may be in other hands. If you still use it there, approve it again.`,
    });
    const { clientId } = client;
    // The notices are limited, because any player can misuse a grant of their own.
    await notifyTeam(ctx, tx, { clientId, right: "tokens", quietMs: hourMs }, () => ({
      kind: notice,
      path: `/developers/apps/${clientId}/tokens`,
      text: `A grant of your application "${client.name}" was ended, because ${toDeveloper}. Either a token leaked, or the application does not store the newest one.`,
    }));
    await ctx.tokens.announceRevocation(tx, { grantId });
  });
}

const toldUntil = "expired-grants-told-until";

export const notifyExpiredGrantsJob: Job = {
  name: "notify-expired-grants",
  cadence: { everySeconds: 60 },
  budget: 0,
  run: (ctx) =>
    ctx.database.background.transaction(async (tx) => {
      const until = ctx.now();
      const before = await lockAppState(tx, toldUntil, until.toISOString());
      const after = new Date(before);
      if (after >= until) return { expired: 0 };
      await setAppState(tx, toldUntil, until.toISOString());
      return { expired: await endExpiredGrants(ctx, tx, { after, until }) };
    }),
};
