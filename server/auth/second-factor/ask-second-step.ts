import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { ProvedAccount } from "../open-proved-session";
import { insertSecondStep } from "./store";

/** How long a right first factor waits for the second, in seconds. */
export const secondStepSeconds = 600;

const tokenBytes = 32;

/** The first factor was right; the account has a second one. */
export interface SecondStepAsked {
  readonly kind: "second-step";
  /** Goes into a cookie. It is stored nowhere, and opens nothing but the second step. */
  readonly secondStepToken: string;
}

/** Notes that the first factor was right, for this browser alone, and asks for the second. Not a session. */
export async function askSecondStep(ctx: Context, tx: Queryable, proved: ProvedAccount): Promise<SecondStepAsked> {
  const { accountId, by, origin } = proved;
  const token = Buffer.from(ctx.ids.bytes(tokenBytes)).toString("base64url");
  const now = ctx.now();
  await insertSecondStep(tx, {
    idHash: ctx.keyring.fingerprint("second-step", token).hash,
    accountId,
    by,
    createdAt: now,
    expiresAt: new Date(now.getTime() + secondStepSeconds * 1_000),
  });
  await ctx.audit(tx, {
    act: "second-step-asked",
    actor: `account:${accountId}`,
    accountId,
    origin,
    details: { method: by, ...proved.details },
  });
  return { kind: "second-step", secondStepToken: token };
}
