import { writeExact } from "#server/platform/exact-json";
import type { Endpoint } from "./endpoint";
import { exampleOf, jsonSchemaOf, type NamedSchemas } from "./json-schema";
import type { OpenApiOptions } from "./openapi";
import { queryParameters } from "./openapi-operation";
import { pathParametersOf } from "./path";
import { parsePath } from "./router";

type CollectionOptions = Pick<OpenApiOptions, "baseUrl" | "prefix" | "tags">;

/** Postman collection 2.1.0, which Bruno imports too. */
export const postmanCollection = (
  endpoints: readonly Endpoint[],
  { baseUrl, prefix, tags }: CollectionOptions,
): object => ({
  info: {
    name: "Adjutant",
    description: `All endpoints of the API. Set the variable accessToken first; ${baseUrl}/docs says how to get one.`,
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{accessToken}}", type: "string" }] },
  variable: [
    { key: "baseUrl", value: baseUrl },
    { key: "accessToken", value: "" },
  ],
  item: tags.map(({ name, description }) => ({
    name,
    description,
    item: endpoints
      .filter(({ tag }) => tag === name)
      .map((endpoint) => ({ name: endpoint.title, request: requestOf(endpoint, prefix) })),
  })),
});

function requestOf(endpoint: Endpoint, prefix: string): object {
  const { method, description, scopes, idempotent, body } = endpoint;
  const header = [
    ...(idempotent ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
    ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
  ];
  return {
    method,
    description: `${description}\n\nScopes: ${scopes.join(", ") || "none"}.`,
    header,
    url: urlOf(endpoint, prefix),
    ...(body && { body: bodyOf(body) }),
  };
}

function urlOf(endpoint: Endpoint, prefix: string): object {
  const path = [
    ...prefix.split("/").filter(Boolean),
    ...parsePath(endpoint.path).map((part) => (part.kind === "text" ? part.text : `:${part.name}`)),
  ];
  const named: NamedSchemas = new Map();
  return {
    raw: ["{{baseUrl}}", ...path].join("/"),
    host: ["{{baseUrl}}"],
    path,
    variable: pathParametersOf(endpoint.path).map(({ name, example, description }) => ({
      key: name,
      value: example,
      description,
    })),
    query: queryParameters(endpoint, named).map(({ name, schema, required, description }) => ({
      key: name,
      value: String(exampleOf(schema, named) ?? ""),
      description,
      disabled: !required,
    })),
  };
}

function bodyOf(schema: NonNullable<Endpoint["body"]>): object {
  const named: NamedSchemas = new Map();
  return {
    mode: "raw",
    raw: writeExact(exampleOf(jsonSchemaOf(schema, named), named), 2),
    options: { raw: { language: "json" } },
  };
}
