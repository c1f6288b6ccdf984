import type { Endpoint } from "#server/rest/endpoint";
import { routes } from "#server/routes";
import { endpointSlug } from "./endpoint-slug";

/** The endpoint whose page this is. */
export const findEndpoint = (slug: string): Endpoint | undefined =>
  routes.find((endpoint) => endpointSlug(endpoint) === slug);
