import { expect, test } from "vitest";
import { z } from "zod";
import { jsonSchemaOf, type NamedSchemas } from "#server/rest/json-schema";
import { routes } from "#server/routes";
import { schemaFields } from "./schema-fields";

const fieldsOf = (schema: z.ZodType) => {
  const named: NamedSchemas = new Map();
  return schemaFields(jsonSchemaOf(schema, named), named);
};

test("the fields of a record within a record, or in a list, stand behind it", () => {
  const Target = z.object({ tid: z.int().meta({ description: "Its id." }) }).meta({ id: "TestTarget" });
  const fields = fieldsOf(z.array(z.object({ name: z.string(), target: Target.nullable() })));
  expect(fields.map(({ name }) => name)).toEqual(["[].name", "[].target", "[].target.tid"]);
  expect(fields[2]).toEqual({ name: "[].target.tid", type: "integer", description: "Its id." });
});

test("the fields of what a map holds stand behind what its keys are", () => {
  const Stock = z.object({ price: z.number() });
  expect(fieldsOf(z.record(z.string().meta({ title: "stock_id" }), Stock))[0]?.name).toBe("<stock_id>.price");
});

test.each(routes.map((endpoint) => [endpoint.title, endpoint] as const))(
  "%s lists every field that it answers",
  (_, { returns }) => {
    if (!returns) return;
    const [first] = fieldsOf(returns);
    expect(first?.type).toBeTruthy();
  },
);
