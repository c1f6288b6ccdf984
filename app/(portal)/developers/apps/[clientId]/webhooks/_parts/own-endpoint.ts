import { notFound } from "next/navigation";
import { cache } from "react";
import { caller } from "#app/_lib/caller";
import { ownApplication, requireUser } from "#app/_lib/current-user";
import { endpointPath } from "./endpoint-path";

/** The pages of the account's own endpoint are the same ones, without an application. */
export type EndpointParams = Promise<{ clientId?: string; endpointId: string }>;

/** Cached per page; not found for endpoints of other teams and accounts. */
export const ownEndpoint = cache(async (clientId: string | undefined, endpointId: string) => {
  if (clientId === undefined) await requireUser();
  const application = clientId === undefined ? null : await ownApplication(clientId, "webhooks");
  const endpoints = await (await caller()).webhooks.list({ clientId: clientId ?? null });
  const endpoint = endpoints.find((known) => known.endpointId === endpointId);
  if (!endpoint) notFound();
  return { application, endpoint, page: endpointPath({ clientId, endpointId }) };
});
