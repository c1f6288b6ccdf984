import type { CallableEndpoint } from "#app/_parts/playground/call-endpoint";
import { apiPrefix } from "#server/machine-path";
import { writeExact } from "#server/platform/exact-json";
import type { Endpoint } from "#server/rest/endpoint";
import {
  exampleOf,
  type JsonSchema,
  jsonSchemaOf,
  type NamedSchemas,
} from "#server/rest/json-schema";
import { parametersOf, queryParameters } from "#server/rest/openapi-operation";
import { examplePath, openApiPath, pathParametersOf } from "#server/rest/path";
import { routes } from "#server/routes";

/** "Get Faction Members" becomes `get-faction-members`. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

export const referencePath = (endpoint: { readonly title: string }): string =>
  `/docs/api/${slugOf(endpoint.title)}`;

export const findEndpointBySlug = (slug: string): Endpoint | undefined =>
  routes.find(({ title }) => slugOf(title) === slug);

export type EndpointDescription = ReturnType<typeof describeEndpoint>;

export function describeEndpoint(endpoint: Endpoint, baseUrl: string) {
  const { path, alias, body, returns } = endpoint;
  return {
    /** Includes the API's prefix. */
    path: apiPrefix + openApiPath(path),
    alias: alias && apiPrefix + openApiPath(alias),
    exampleUrl: `${baseUrl}${apiPrefix}${examplePath(path)}`,
    pathParameters: pathParametersOf(path),
    query: queryFields(endpoint),
    body: body && described(body, requestSchemaFields),
    answer: returns && described(returns, schemaFields),
  };
}

function queryFields(endpoint: Endpoint): SchemaField[] {
  const named: NamedSchemas = new Map();
  const parameters = queryParameters(endpoint, named);
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  );
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return requestSchemaFields({ properties, required }, named);
}

function described(schema: NonNullable<Endpoint["returns"]>, fieldsOf: typeof schemaFields) {
  const named: NamedSchemas = new Map();
  const json: JsonSchema = jsonSchemaOf(schema, named);
  return {
    fields: fieldsOf(json, named),
    example: writeExact(exampleOf(json, named), 2),
  };
}

/** @param path the endpoint's own, or its alias */
export function callableEndpointOf(endpoint: Endpoint, path = endpoint.path): CallableEndpoint {
  const { method, title, description, scopes, body } = endpoint;
  return {
    method,
    path: apiPrefix + openApiPath(path),
    title,
    description,
    scopes,
    parameters: parametersOf(endpoint, { path, named: new Map() }).map(
      ({ schema, description: words = "", ...parameter }) => ({
        ...parameter,
        description: words,
        example: String((schema.examples as unknown[] | undefined)?.[0] ?? schema.default ?? ""),
      }),
    ),
    // A browser sends no body with GET.
    body: body && method !== "GET" ? described(body, requestSchemaFields).example : undefined,
  };
}

export interface SchemaField {
  /** Includes parents: `faction.tid`, `[].name`. */
  readonly name: string;
  /** "integer or null". */
  readonly type: string;
  readonly description: string;
  /** True if a request must have the field. */
  readonly needed?: boolean;
  /** Default of a request's field, as JSON. */
  readonly absent?: string | undefined;
}

/** Fields of a nested record follow the record. */
export function schemaFields(schema: JsonSchema, named: NamedSchemas, prefix = ""): SchemaField[] {
  const own = resolved(schema, named);
  if (own.items) return schemaFields(own.items as JsonSchema, named, `${prefix}[]`);
  if (isSchema(own.propertyNames) && isSchema(own.additionalProperties))
    return schemaFields(
      own.additionalProperties,
      named,
      `${prefix}<${own.propertyNames.title ?? "key"}>`,
    );
  if (!own.properties) return prefix === "" ? [] : [fieldOf(prefix, own)];
  return Object.entries(own.properties as Record<string, JsonSchema>).flatMap(
    ([name, property]) => {
      const field = resolved(property, named);
      const full = prefix === "" ? name : `${prefix}.${name}`;
      const inner = objectWithin(field, named);
      return inner
        ? [fieldOf(full, field), ...schemaFields(inner, named, full)]
        : [fieldOf(full, field)];
    },
  );
}

/** Adds bounds, requirement and default, which only request fields have. */
export function requestSchemaFields(schema: JsonSchema, named: NamedSchemas): SchemaField[] {
  const { properties = {}, required = [] } = resolved(schema, named);
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const field = resolved(property, named);
    return {
      ...fieldOf(name, field),
      type: [typeInWords(field), boundsInWords(field)].filter(Boolean).join(", "),
      needed: (required as string[]).includes(name),
      absent: field.default == null ? undefined : JSON.stringify(field.default),
    };
  });
}

/** Every id has this upper bound, so it is not shown. */
const largestId = 2 ** 31 - 1;

function boundsInWords({ minimum, maximum }: JsonSchema): string {
  const from = typeof minimum === "number" ? minimum : undefined;
  const to = typeof maximum === "number" && maximum < largestId ? maximum : undefined;
  if (from !== undefined && to !== undefined) return `${from} … ${to}`;
  if (from !== undefined) return `from ${from}`;
  return to === undefined ? "" : `up to ${to}`;
}

/** Finds the nested record of a field, a list or a nullable field. */
function objectWithin(field: JsonSchema, named: NamedSchemas): JsonSchema | undefined {
  if (field.properties) return field;
  if (field.items && resolved(field.items as JsonSchema, named).properties) return field;
  if (!Array.isArray(field.anyOf)) return undefined;
  return (field.anyOf as JsonSchema[])
    .map((choice) => resolved(choice, named))
    .find(({ properties }) => properties);
}

const fieldOf = (name: string, schema: JsonSchema): SchemaField => ({
  name,
  type: typeInWords(schema),
  description: typeof schema.description === "string" ? schema.description : "",
});

function typeInWords({ type, anyOf, enum: choices }: JsonSchema): string {
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(", ");
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).map(typeInWords).join(" or ");
  if (Array.isArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : "object";
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null;

function resolved(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  return named.get($ref.slice($ref.lastIndexOf("/") + 1)) ?? {};
}
