import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { newClientId } from "./client";
import type { ApplicationInput } from "./contract";
import { addSecret } from "./secrets/secret-acts";
import { countOwnApplications, countOwnApplicationsInTurn, insertApplication } from "./store";

/** The credentials of a new application. The secret is shown this once; a public application has none. */
export interface NewCredentials {
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** How many applications a developer may have, and how many more this one may register. */
export async function countRoom(ctx: Context, user: PortalUser): Promise<{ most: number; left: number }> {
  const most = ctx.settings.applicationsPerDeveloper;
  const own = await countOwnApplications(ctx.database.query, user.accountId);
  return { most, left: Math.max(0, most - own) };
}

/** Whether the user is a developer: owns an application. */
export const ownsApplications = async (ctx: Context, user: PortalUser): Promise<boolean> =>
  (await countOwnApplications(ctx.database.query, user.accountId)) > 0;

/**
 * Registers an application, owned by the user. A confidential one gets its first secret.
 * @throws GeneralError when the user has as many applications as a developer may have
 */
export async function registerApplication(
  ctx: Context,
  user: PortalUser,
  input: ApplicationInput,
  origin: Origin,
): Promise<NewCredentials> {
  const clientId = newClientId(ctx.ids.bytes);
  return ctx.database.transaction(async (tx) => {
    const most = ctx.settings.applicationsPerDeveloper;
    if ((await countOwnApplicationsInTurn(tx, user.accountId)) >= most)
      throw GeneralError.because({
        message: `You have ${most} applications, the most a developer can have. Delete one you don't need.`,
      });
    await insertApplication(tx, { ...input, clientId, ownerId: user.accountId, createdAt: ctx.now() });
    await ctx.audit(tx, {
      act: "application-created",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      clientId,
      origin,
      details: {
        name: input.name,
        kind: input.kind,
        scopes: input.scopes,
        optionalScopes: input.optionalScopes,
        redirectUris: input.redirectUris,
      },
    });
    if (input.kind === "public") return { clientId, clientSecret: null };
    const { secret } = await addSecret(ctx, tx, { clientId, name: "First secret", livesDays: null });
    return { clientId, clientSecret: secret };
  });
}
