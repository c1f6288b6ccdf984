import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from "#app/_parts/playground/operations";
import { apiPrefix } from "#server/machine-path";
import { writeExact } from "#server/platform/exact-json";
import type { Endpoint } from "#server/rest/endpoint";
import {
  exampleOf,
  type JsonSchema,
  jsonSchemaOf,
  type NamedSchemas,
} from "#server/rest/json-schema";
import { openApiDocument } from "#server/rest/openapi";
import { queryParameters } from "#server/rest/openapi-operation";
import { braced, examplePath, type PathParameter, pathParametersOf } from "#server/rest/path";
import { routes } from "#server/routes";
import { type SchemaField, schemaFields, sentFields } from "./schema-fields";
import { slugOf } from "./slug";

export const referencePath = (endpoint: { readonly title: string }): string =>
  `/docs/api/${slugOf(endpoint.title)}`;

export const findReferenced = (slug: string): Endpoint | undefined =>
  routes.find(({ title }) => slugOf(title) === slug);

export interface EndpointDescription {
  /** With the prefix. */
  readonly path: string;
  readonly alias: string | undefined;
  /** Full example URL. */
  readonly exampleUrl: string;
  readonly pathParameters: readonly PathParameter[];
  readonly query: readonly SchemaField[];
  readonly body: { readonly fields: readonly SchemaField[]; readonly example: string } | undefined;
  readonly answer:
    | { readonly fields: readonly SchemaField[]; readonly example: string }
    | undefined;
}

export function describeEndpoint(endpoint: Endpoint, baseUrl: string): EndpointDescription {
  const { path, alias, body, returns } = endpoint;
  return {
    path: apiPrefix + braced(path),
    alias: alias && apiPrefix + braced(alias),
    exampleUrl: `${baseUrl}${apiPrefix}${examplePath(path)}`,
    pathParameters: pathParametersOf(path),
    query: queryFields(endpoint),
    body: body && described(body, sentFields),
    answer: returns && described(returns, schemaFields),
  };
}

function queryFields(endpoint: Endpoint): SchemaField[] {
  const named: NamedSchemas = new Map();
  const parameters = queryParameters(endpoint, named).map(
    ({ name, description, schema }) => [name, { ...schema, description }] as const,
  );
  const required = queryParameters(endpoint, named).flatMap(({ name, required }) =>
    required ? [name] : [],
  );
  return sentFields({ properties: Object.fromEntries(parameters), required }, named);
}

function described(schema: NonNullable<Endpoint["returns"]>, fieldsOf: typeof schemaFields) {
  const named: NamedSchemas = new Map();
  const json: JsonSchema = jsonSchemaOf(schema, named);
  return {
    fields: fieldsOf(json, named),
    example: writeExact(exampleOf(json, named), 2),
  };
}

/** For "try it", from the OpenAPI document. */
export function endpointOperation(endpoint: Endpoint, baseUrl: string): Operation {
  const document = openApiDocument([endpoint], {
    version: "1",
    baseUrl,
    prefix: apiPrefix,
    tags: [],
  });
  const [operation] = operationsOf(document as OpenApiDocument);
  if (!operation) throw new Error(`${endpoint.title} is in no OpenAPI document.`);
  return operation;
}
