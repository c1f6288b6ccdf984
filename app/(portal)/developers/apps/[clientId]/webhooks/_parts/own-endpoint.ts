import { notFound } from "next/navigation";
import { cache } from "react";
import { caller } from "#app/_lib/caller";
import { ownApplication } from "#app/_lib/current-user";

export type EndpointParams = Promise<{ clientId: string; endpointId: string }>;

/** The page of an application's endpoints. */
export const endpointsPath = (clientId = "") =>
  `/developers/apps/${encodeURIComponent(clientId)}/webhooks`;

/** The page of one of them. */
export const endpointPath = ({
  clientId,
  endpointId = "",
}: {
  clientId?: string;
  endpointId?: string;
}) => `${endpointsPath(clientId)}/${encodeURIComponent(endpointId)}`;

/** An endpoint of the signed-in developer's application, asked once for a page; "no such page" for any other. */
export const ownEndpoint = cache(async (clientId: string, endpointId: string) => {
  const application = await ownApplication(clientId);
  const endpoints = await (await caller()).webhooks.list({ clientId });
  const endpoint = endpoints.find((known) => known.endpointId === endpointId);
  if (!endpoint) notFound();
  return { application, endpoint, page: endpointPath({ clientId, endpointId }) };
});
