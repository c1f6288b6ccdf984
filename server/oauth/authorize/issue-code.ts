import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { mintSecret } from "#server/platform/secret-text";
import { earlier, secondMs } from "#server/platform/time";
import type { ScopeName } from "#server/scopes";
import { grantApproved } from "../grants/events";
import { insertCode, insertGrant } from "../grants/store";
import type { AuthorizationRequest } from "./authorization-request";

interface ApprovedConsent {
  readonly id: string;
  readonly until: Date | null;
}

/** Runs in the caller's transaction. @returns the code */
export async function issueCode(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  issue: { readonly request: AuthorizationRequest; readonly consent: ApprovedConsent },
): Promise<string> {
  const { clientId, redirectUri, codeChallenge, scopes } = issue.request;
  const { grantId } = await openGrant(ctx, tx, by, { clientId, scopes, consent: issue.consent });
  const code = mintSecret("code", ctx.ids.bytes);
  const now = ctx.now();
  const { hash, keyId: hashKeyId } = ctx.keyring.hmac("token", code);
  await insertCode(tx, {
    ...{ hash, hashKeyId },
    ...{ grantId, clientId, redirectUri, codeChallenge },
    createdAt: now,
    expiresAt: new Date(now.getTime() + ctx.settings.lifetimes.code * secondMs),
  });
  await ctx.audit(tx, by, "code.issued", { clientId, details: { grantId, scopes } });
  return code;
}

/** Runs in the caller's transaction. */
export async function openGrant(
  ctx: Context,
  tx: Queryable,
  { playerId }: PortalUser,
  opened: {
    readonly clientId: string;
    readonly scopes: readonly ScopeName[];
    readonly consent: ApprovedConsent;
  },
): Promise<{ grantId: string; absoluteExpiry: Date }> {
  const { clientId, scopes, consent } = opened;
  const grantId = ctx.ids.uuid();
  const createdAt = ctx.now();
  const longest = new Date(createdAt.getTime() + ctx.settings.lifetimes.refreshMax * secondMs);
  const absoluteExpiry = earlier(longest, consent.until);
  await insertGrant(tx, {
    id: grantId,
    consentId: consent.id,
    scopes: [...scopes],
    ...{ clientId, createdAt, absoluteExpiry },
  });
  const approved = {
    type: grantApproved,
    subject: grantId,
    ...{ grantId, clientId, playerId },
    data: { scopes: [...scopes] },
  };
  await recordEvents(ctx, tx, [approved]);
  return { grantId, absoluteExpiry };
}
