import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { missingScopes } from "../../scopes";
import { recallConsent } from "../consents/recall-consent";
import { requestFailure } from "../request-failure";
import { approveRemembered } from "./approve-remembered";
import { wantsConsent, wantsLogin } from "./authorization-request";
import { openRequest } from "./open-request";

/**
 * Goes on with a parked request after the sign-in: straight to the client where an earlier consent covers it, else to the
 * consent page. The same request and parameters as before the sign-in; nothing is read from the browser again.
 * @throws RequestFailure
 */
export async function resumeRequest(
  ctx: Context,
  resumed: {
    readonly requestId: string;
    readonly browserId: string | null;
    readonly user: PortalUser;
    readonly origin: Origin;
  },
): Promise<{ kind: "consent"; requestId: string } | { kind: "redirect"; location: string }> {
  const { requestId, user, origin } = resumed;
  const { request, client } = await openRequest(ctx, resumed);
  if (request.accountId !== null && request.accountId !== user.accountId) throw requestFailure("foreign");
  if (wantsLogin(request.prompt) && user.authenticatedAt <= request.createdAt) throw requestFailure("stale-sign-in");
  if (wantsConsent(request.prompt) || missingScopes(client.scopes, request.scopes).length > 0)
    return { kind: "consent", requestId };
  const { consent, suffices } = await recallConsent(ctx, user, { client, scopes: request.scopes });
  if (!consent || !suffices) return { kind: "consent", requestId };
  const location = await approveRemembered(ctx, { request, requestId, user, consent, origin });
  return { kind: "redirect", location };
}
