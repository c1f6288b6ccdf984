import { referencePath } from "#app/docs/_parts/describe-endpoint";
import { apiPrefix } from "#server/machine-path";
import { openApiPath } from "#server/rest/path";
import { expandAliases } from "#server/rest/router";
import { routes } from "#server/routes";

interface NamedCall {
  readonly title: string;
  /** Past-tense description of the call, for the player. */
  readonly did: string;
  readonly href: string | null;
  /** Method and path; null if the title contains them. */
  readonly address: string | null;
}

const named: ReadonlyMap<string, NamedCall> = new Map(
  expandAliases(routes).map(({ path, endpoint }) => [
    `${endpoint.method} ${apiPrefix}${path}`,
    {
      title: endpoint.title,
      did: endpoint.did,
      href: referencePath(endpoint),
      address: `${endpoint.method} ${apiPrefix}${openApiPath(path)}`,
    },
  ]),
);

/** @param route template from the log; its endpoint may have been removed since */
export function describeCall(method: string, route: string): NamedCall {
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
      title: `${method} ${openApiPath(route)}`,
      did: `Called ${method} ${openApiPath(route)}`,
      href: null,
      address: null,
    }
  );
}
