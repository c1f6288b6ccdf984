import { notFound } from "next/navigation";
import { cache } from "react";
import { caller } from "#app/_lib/caller";
import { requireApplication, requireUser } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { endpointPath } from "./endpoint-path";

/** `clientId` is absent for the account's own endpoint, which has the same pages. */
export type EndpointParams = Promise<{ clientId?: string; endpointId: string }>;
export type EndpointProps = { params: EndpointParams; searchParams: SearchParams };

/** Endpoints of other teams and accounts are "not found". */
export async function requireEndpoint(params: EndpointParams) {
  const { clientId = null, endpointId } = await params;
  return readEndpoint(clientId, endpointId);
}

const readEndpoint = cache(async (clientId: string | null, endpointId: string) => {
  if (clientId === null) await requireUser();
  const application = clientId === null ? null : await requireApplication({ clientId }, "webhooks");
  const endpoints = await (await caller()).webhooks.list({ clientId });
  const endpoint = endpoints.find((known) => known.endpointId === endpointId);
  if (!endpoint) notFound();
  const key = { clientId, endpointId };
  return { application, endpoint, key, page: endpointPath(key) };
});
