import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { mintSecret } from "#server/platform/secret-text";
import { secondMs } from "#server/platform/time";
import { grantApproved } from "../grants/events";
import { insertCode, insertGrant } from "../grants/store";
import type { AuthorizationRequest } from "./authorization-request";

/** Runs in the caller's transaction. @returns the code */
export async function issueCode(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  issue: {
    readonly request: AuthorizationRequest;
    readonly consent: { readonly id: string; readonly until: Date | null };
  },
): Promise<string> {
  const { request, consent } = issue;
  const { clientId, redirectUri, codeChallenge, scopes } = request;
  const { lifetimes } = ctx.settings;
  const now = ctx.now();
  const after = (seconds: number) => new Date(now.getTime() + seconds * secondMs);
  const longest = after(lifetimes.refreshMax);
  const absoluteExpiry = consent.until && consent.until < longest ? consent.until : longest;
  const grantId = ctx.ids.uuid();
  await insertGrant(tx, {
    id: grantId,
    consentId: consent.id,
    clientId,
    scopes,
    createdAt: now,
    absoluteExpiry,
  });

  const code = mintSecret("code", ctx.ids.bytes);
  const print = ctx.keyring.hmac("token", code);
  const expiresAt = after(lifetimes.code);
  await insertCode(tx, {
    print,
    grantId,
    clientId,
    redirectUri,
    codeChallenge,
    createdAt: now,
    expiresAt,
  });
  await ctx.audit(tx, by, "code.issued", { clientId, details: { grantId, scopes } });
  const { playerId } = by;
  const approved = {
    type: grantApproved,
    subject: grantId,
    ...{ grantId, clientId, playerId },
    data: { scopes: [...scopes] },
  };
  await recordEvents(ctx, tx, [approved]);
  return code;
}
