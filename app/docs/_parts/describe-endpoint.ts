import { stringify } from "lossless-json";
import type { Endpoint } from "#server/rest/endpoint";
import { exampleOf, type JsonSchema, jsonSchemaOf, type NamedSchemas } from "#server/rest/json-schema";
import { apiPrefix } from "#server/routes";
import { type SchemaField, schemaFields } from "./schema-fields";

/** What a reference page says of an endpoint besides its own words, all of it read from the endpoint itself. */
export interface EndpointDescription {
  /** With the prefix, in the specification's notation. */
  readonly path: string;
  readonly alias: string | undefined;
  /** The full address of an example call. */
  readonly exampleUrl: string;
  readonly pathParameters: readonly { readonly name: string; readonly type: string }[];
  readonly query: readonly SchemaField[];
  readonly body: { readonly fields: readonly SchemaField[]; readonly example: string } | undefined;
  readonly answer: { readonly fields: readonly SchemaField[]; readonly example: string } | undefined;
}

const exampleId = "1001";

export function describeEndpoint(endpoint: Endpoint, baseUrl: string): EndpointDescription {
  const { path, alias, query, body, returns } = endpoint;
  return {
    path: apiPrefix + path,
    alias: alias && apiPrefix + alias,
    exampleUrl: `${baseUrl}${apiPrefix}${path.replaceAll(/<(?:int:)?[a-z_]+>/g, exampleId)}`,
    pathParameters: [...path.matchAll(/<(int:)?([a-z_]+)>/g)].map(([, int, name = ""]) => ({
      name,
      type: int ? "integer" : "string",
    })),
    query: query ? described(query).fields : [],
    body: body && described(body),
    answer: returns && described(returns),
  };
}

function described(schema: NonNullable<Endpoint["returns"]>): { fields: SchemaField[]; example: string } {
  const named: NamedSchemas = new Map();
  const json: JsonSchema = jsonSchemaOf(schema, named);
  return { fields: schemaFields(json, named), example: stringify(exampleOf(json, named), null, 2) ?? "" };
}
