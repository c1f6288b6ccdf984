import { expect, test } from "vitest";
import { z } from "zod";
import { jsonSchemaOf, type NamedSchemas } from "#server/rest/json-schema";
import { routes } from "#server/routes";
import {
  callableEndpointOf,
  describeEndpoint,
  requestSchemaFields,
  schemaFields,
} from "./describe-endpoint";

const fieldsOf = (schema: z.ZodType) => {
  const named: NamedSchemas = new Map();
  return schemaFields(jsonSchemaOf(schema, named), named);
};

test("the fields of a record within a record, or in a list, stand behind it", () => {
  const Target = z
    .object({ tid: z.int().meta({ description: "Its id." }) })
    .meta({ id: "TestTarget" });
  const fields = fieldsOf(z.array(z.object({ name: z.string(), target: Target.nullable() })));
  expect(fields.map(({ name }) => name)).toEqual(["[].name", "[].target", "[].target.tid"]);
  expect(fields[2]).toEqual({ name: "[].target.tid", type: "integer", description: "Its id." });
});

test("the fields of what a map holds stand behind what its keys are", () => {
  const Stock = z.object({ price: z.number() });
  expect(fieldsOf(z.record(z.string().meta({ title: "stock_id" }), Stock))[0]?.name).toBe(
    "<stock_id>.price",
  );
});

test.each(routes.map((endpoint) => [endpoint.title, endpoint] as const))(
  "%s lists every field that it answers",
  (_, { returns }) => {
    if (!returns) return;
    const [first] = fieldsOf(returns);
    expect(first?.type).toBeTruthy();
  },
);

test("of what a caller sends stand the bounds, what is needed, and what an absent field is read as", () => {
  const named: NamedSchemas = new Map();
  const Wish = z.object({
    id: z.int().min(1),
    limit: z.int().min(1).max(250).default(25).describe("At most so many."),
  });
  expect(requestSchemaFields(jsonSchemaOf(Wish, named), named)).toEqual([
    { name: "id", type: "integer, from 1", description: "", needed: true },
    {
      name: "limit",
      type: "integer, 1 … 250",
      description: "At most so many.",
      needed: false,
      absent: "25",
    },
  ]);
});

test.each(routes.map((endpoint) => [endpoint.title, endpoint] as const))(
  "%s tells of all that it takes",
  (_, endpoint) => {
    const { query, body } = describeEndpoint(endpoint, "http://localhost");
    for (const field of [...query, ...(body?.fields ?? [])])
      expect(field).toMatchObject({ description: expect.stringMatching(/./) });
  },
);

test.each(routes.map((endpoint) => [endpoint.title, endpoint] as const))(
  "%s can be tried at its own address, with every parameter that it has",
  (_, endpoint) => {
    const callable = callableEndpointOf(endpoint);
    const { path, query, body, pathParameters } = describeEndpoint(endpoint, "http://localhost");
    expect(callable).toMatchObject({ method: endpoint.method, scopes: endpoint.scopes });
    expect(callable.path).toBe(path);
    const named = callable.parameters
      .filter(({ in: where }) => where !== "header")
      .map(({ name }) => name);
    expect(named).toEqual([...pathParameters, ...query].map(({ name }) => name));
    // A browser sends no body with GET.
    expect(callable.body).toBe(endpoint.method === "GET" ? undefined : body?.example);
  },
);
