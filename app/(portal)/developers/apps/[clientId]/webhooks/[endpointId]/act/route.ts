import { form } from "#app/_lib/form";
import { TooManyRequests } from "#server/failures";
import { actOnEndpoint, EndpointForm, pageOf } from "../../_parts/act-on-endpoint";

/** All that a developer does with one endpoint without script. */
export const POST = form({
  page: ({ clientId, endpointId }) => pageOf(clientId, endpointId),
  fields: EndpointForm,
  procedure: actOnEndpoint,
  done: (to) => to,
  refused: ({ code, field }) => {
    if (code === TooManyRequests.code) return `?error=${code}`;
    return field?.startsWith("which") || field?.startsWith("range") ? "?error=range" : undefined;
  },
});
