import { form } from "#app/_lib/form";
import { actOnEndpoint, EndpointForm, endpointPath, refusedAt } from "../../_parts/act-on-endpoint";

/** All that a developer does with one endpoint without script. */
export const POST = form({
  page: ({ clientId, endpointId }) => endpointPath(clientId, endpointId),
  fields: EndpointForm,
  procedure: actOnEndpoint,
  done: (to) => to,
  refused: refusedAt,
});
