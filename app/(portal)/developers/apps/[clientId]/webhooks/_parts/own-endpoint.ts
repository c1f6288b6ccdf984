import { notFound } from "next/navigation";
import { cache } from "react";
import { caller } from "#app/_lib/caller";
import { ownApplication } from "#app/_lib/current-user";

export type EndpointParams = Promise<{ clientId: string; endpointId: string }>;

export const endpointsPath = (clientId = "") =>
  `/developers/apps/${encodeURIComponent(clientId)}/webhooks`;

export const endpointPath = ({
  clientId,
  endpointId = "",
}: {
  clientId?: string;
  endpointId?: string;
}) => `${endpointsPath(clientId)}/${encodeURIComponent(endpointId)}`;

/** Cached per page; not found for endpoints of other teams. */
export const ownEndpoint = cache(async (clientId: string, endpointId: string) => {
  const application = await ownApplication(clientId, "webhooks");
  const endpoints = await (await caller()).webhooks.list({ clientId });
  const endpoint = endpoints.find((known) => known.endpointId === endpointId);
  if (!endpoint) notFound();
  return { application, endpoint, page: endpointPath({ clientId, endpointId }) };
});
