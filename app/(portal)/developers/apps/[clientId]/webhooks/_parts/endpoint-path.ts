import type { SentForm } from "#app/_lib/form";

/** @param clientId absent for the account's own endpoint */
export const endpointsPath = (clientId?: string | null) =>
  clientId ? `/developers/apps/${encodeURIComponent(clientId)}/webhooks` : "/account/notifications";

export const endpointPath = ({
  clientId,
  endpointId = "",
}: {
  clientId?: string | null;
  endpointId?: string;
}) => `${endpointsPath(clientId)}/${encodeURIComponent(endpointId)}`;

export const readEndpointKey = (sent: SentForm) => ({
  clientId: sent.get("clientId") ?? null,
  endpointId: sent.get("endpointId"),
});
