import { referencePath } from "#app/docs/_parts/describe-endpoint";
import { apiPrefix } from "#server/machine-path";
import { braced } from "#server/rest/path";
import { mounted } from "#server/rest/router";
import { routes } from "#server/routes";

interface NamedCall {
  readonly title: string;
  /** For the player, in the past. */
  readonly did: string;
  readonly href: string | null;
  /** Method and path, unless the title contains them. */
  readonly address: string | null;
}

/** By method and path of the endpoint. */
export const done: Readonly<Record<string, string>> = {
  "GET /events": "Read what happened to you and your faction",
  "GET /<int:faction_id>/members": "Read the members of a faction",
  "POST /stat/chain-list": "Looked for targets with fair fights",
  "GET /user/<int:user_id>/stat": "Read a player's earlier stats",
  "GET /user/estimate/<int:user_id>": "Read an estimate of a player's stats",
  "GET /stocks/benefits": "Read what stocks pay",
  "GET /stocks/movers": "Read which stocks move most",
  "GET /stocks": "Read stock prices",
  "GET /user/<int:user_id>": "Read a player's profile",
  "GET /user": "Read your profile",
  "GET /faction/<int:faction_id>/attacks/retaliations": "Read your faction's open retaliations",
  "DELETE /faction/<int:faction_id>/banking/<request_id>": "Cancelled a vault request",
  "POST /faction/<int:faction_id>/banking": "Sent a vault request in your name",
  "GET /faction/banking/vault": "Read your balance in your faction's vault",
  "GET /faction/<int:faction_id>/banking": "Read your vault requests",
  "GET /faction/<int:faction_id>/crime/delays": "Read who delays your faction's OCs",
  "GET /faction/crime/names": "Read the names of OCs",
  "GET /faction/positions": "Read your faction's positions",
};

const named: ReadonlyMap<string, NamedCall> = new Map(
  mounted(routes).map(({ path, endpoint }) => [
    `${endpoint.method} ${apiPrefix}${path}`,
    {
      title: endpoint.title,
      did: done[`${endpoint.method} ${endpoint.path}`] ?? endpoint.title,
      href: referencePath(endpoint),
      address: `${endpoint.method} ${apiPrefix}${braced(path)}`,
    },
  ]),
);

/**
 * Names a logged call.
 * @param route logged template; endpoints of an older release may be gone
 */
export function nameCall(method: string, route: string): NamedCall {
  if (route === "unmatched")
    return {
      title: "An address that does not exist",
      did: "Called an address that does not exist",
      href: null,
      address: null,
    };
  const called = method === "HEAD" ? "GET" : method;
  return (
    named.get(`${called} ${route}`) ?? {
      title: `${method} ${braced(route)}`,
      did: `Called ${method} ${braced(route)}`,
      href: null,
      address: null,
    }
  );
}
