import type { PortalUser } from "#server/actor";
import { banAccount } from "#server/admin/accounts";
import { suspendApplication } from "#server/admin/applications";
import type { Context } from "#server/context";
import { apiPrefix } from "#server/machine-path";
import { pauseConsent, revokeConsents } from "#server/oauth/consents/consent-acts";
import { listConsents } from "#server/oauth/consents/list-consents";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import type { ScopeName } from "#server/scopes";
import { mintApplication, mintTokens, refresh } from "./oauth-world";
import { mintUser } from "./world";

const dispatch = compileDispatch(routes, { prefix: apiPrefix });

interface Connection {
  readonly scopes?: readonly ScopeName[];
  readonly player?: Pick<PortalUser, "accountId" | "playerId">;
}

export async function connectPlayer(
  ctx: Context,
  owner: PortalUser,
  { scopes = ["identity"], player }: Connection = {},
) {
  const registered: ScopeName[] = ["identity", "faction", "service_key:usage"];
  const app = await mintApplication(ctx, owner, {
    redirectUris: ["https://client.test/cb"],
    scopes: registered,
  });
  const user = { ...(await mintUser(ctx)), ...player };
  const tokens = await mintTokens(ctx, app, { user, scopes: [...scopes] });
  const { access_token: access, refresh_token: replaceable = "" } = tokens;
  const [consent] = await listConsents(ctx, user);
  if (!consent) throw new Error("There is no consent.");
  const { consentId } = consent;
  const admin = { ...(await mintUser(ctx)), admin: true };
  return {
    ...{ app, access, replaceable },
    call: (path: string, init: RequestInit = {}) => {
      const headers = { ...init.headers, authorization: `Bearer ${access}` };
      return dispatch(
        ctx,
        new Request(`http://localhost${apiPrefix}${path}`, { ...init, headers }),
        { address: null },
      );
    },
    refresh: () => refresh(ctx, app, replaceable),
    revoke: () => revokeConsents(ctx, user, { consentIds: [consentId] }),
    pause: () => pauseConsent(ctx, user, { consentId }),
    ban: () => banAccount(ctx, admin, { accountId: user.accountId, reason: "test" }),
    suspend: () => suspendApplication(ctx, admin, { clientId: app.clientId, reason: "test" }),
  };
}
