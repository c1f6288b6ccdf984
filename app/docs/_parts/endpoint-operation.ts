import { type OpenApiDocument, type Operation, operationsOf } from "#app/_parts/playground/operations";
import { apiPrefix } from "#server/machine-path";
import type { Endpoint } from "#server/rest/endpoint";
import { openApiDocument } from "#server/rest/openapi";

/** The endpoint as it can be tried, as its OpenAPI document describes it. */
export function endpointOperation(endpoint: Endpoint, baseUrl: string): Operation {
  const document = openApiDocument([endpoint], { version: "1", baseUrl, prefix: apiPrefix, tags: [] });
  const [operation] = operationsOf(document as OpenApiDocument);
  if (!operation) throw new Error(`${endpoint.title} is in no OpenAPI document.`);
  return operation;
}
