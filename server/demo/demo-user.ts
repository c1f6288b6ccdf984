import type { PortalUser, RequestSource, SessionlessPlayer } from "#server/actor";
import type { Context } from "#server/context";
import { isFailure, UnknownUser } from "#server/failures";
import { type DemoPerson, demoPersonOf } from "#simulator/demo-people";
import { findAccountId } from "./store";

type Role = DemoPerson["role"];

export const demoRequestSource: RequestSource = {
  requestId: "demo",
  address: null,
  userAgent: null,
};

/** `accountId` is null if a visitor deleted the account. */
export async function demoPlayerOf(ctx: Context, role: Role): Promise<SessionlessPlayer> {
  const { playerId } = demoPersonOf(role);
  const accountId = await findAccountId(ctx.database.query, playerId);
  return { kind: "player", accountId, playerId, from: demoRequestSource };
}

/** The user counts as signed in just now. @throws UnknownUser without an account */
export async function demoUserOf(ctx: Context, role: Role): Promise<PortalUser> {
  const { accountId, ...player } = await demoPlayerOf(ctx, role);
  if (accountId === null) throw UnknownUser.because();
  const now = ctx.now();
  return {
    ...player,
    kind: "portal",
    accountId,
    sessionHash: "",
    authenticatedAt: now,
    confirmedAt: now,
    secondFactor: "off",
    admin: false,
  };
}

/** A visitor may have removed the chat link or requested the whole balance. */
export async function runUnlessRefused(ctx: Context, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!isFailure(error)) throw error;
    ctx.log.info({ refused: error.message }, "the demo left a scene out");
    return false;
  }
}
