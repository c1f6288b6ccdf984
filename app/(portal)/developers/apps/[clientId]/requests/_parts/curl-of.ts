import { endpointSamples } from "#app/docs/_parts/endpoint-samples";
import { type LoggedCall, unmatchedRoute } from "#server/oauth/clients/calls/logged-call";

/** `<int:faction_id>` and `<request_id>` of a template, in which only the name is of use to a reader. */
const typed = /<\w+:(\w+)>/g;

/**
 * A call as a command to make it again. Values of the query and the body were not recorded, nor the path of a call that
 * succeeded, so each stands there as the `<name>` to be replaced; the token is read from a variable.
 */
export function curlOf({ method, route, failure }: Pick<LoggedCall, "method" | "route" | "failure">, baseUrl: string) {
  const path = failure?.path ?? (route === unmatchedRoute ? "/api/v1/" : route.replace(typed, "<$1>"));
  const query = (failure?.query ?? []).map((name) => `${name}=<${name}>`).join("&");
  const fields = (failure?.body ?? []).map((name) => [name, `<${name}>`]);
  const [curl] = endpointSamples({
    method,
    // A path as it was sent may hold what the shell would act upon.
    url: `${baseUrl}${path}${query && `?${query}`}`.replace(/["$`\\]/g, encodeURIComponent),
    body: fields.length > 0 ? JSON.stringify(Object.fromEntries(fields)) : undefined,
    answers: true,
  });
  return curl?.code ?? "";
}
