import { z } from "zod";
import { snowflakeExample } from "./shapes";

/** JSON Schema 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export type NamedSchemas = Map<string, JsonSchema>;

/** Describes the wire form. Schemas with an id are collected in `named`. */
export function jsonSchemaOf(schema: z.ZodType, named: NamedSchemas): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: keepExamples,
  }) as JsonSchema;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>))
    named.set(name, tidy(withoutId(definition)));
  const id = typeof own.id === "string" ? own.id : undefined;
  if (id === undefined) return tidy(own);
  named.set(id, tidy(withoutId(own)));
  return { $ref: `#/components/schemas/${id}` };
}

/** Zod drops examples of transformed schemas. */
function keepExamples({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: JsonSchema;
}): void {
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (Array.isArray(examples) && !("examples" in jsonSchema))
    Object.assign(jsonSchema, { examples });
}

export function exampleOf(schema: JsonSchema, named: NamedSchemas): unknown {
  const { $ref, examples, anyOf, properties, propertyNames, additionalProperties, items } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof $ref === "string")
    return exampleOf(named.get($ref.slice($ref.lastIndexOf("/") + 1)) ?? {}, named);
  if ("default" in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema, named);
  if (properties)
    return Object.fromEntries(
      Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => [
        name,
        exampleOf(field, named),
      ]),
    );
  if (isSchema(propertyNames) && isSchema(additionalProperties))
    return { [String(exampleOf(propertyNames, named))]: exampleOf(additionalProperties, named) };
  if (items) return [exampleOf(items as JsonSchema, named)];
  return byType[String(Array.isArray(schema.type) ? schema.type[0] : schema.type)] ?? null;
}

const byType: Readonly<Record<string, unknown>> = {
  string: "text",
  integer: 1,
  number: 1.5,
  boolean: true,
};

const withoutId = ({ id: _, ...rest }: JsonSchema): JsonSchema => rest;

/** Bounds of a safe integer, which say nothing. */
const trivial = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** Some client generators read a bare integer as int32. */
const largestInt32 = 2 ** 31 - 1;
const needsInt64 = ({ type, format, maximum, enum: values }: Record<string, unknown>): boolean =>
  [type].flat().includes("integer") &&
  format === undefined &&
  values === undefined &&
  !(Number(maximum) <= largestInt32);

function tidy(node: JsonSchema): JsonSchema {
  const tidied: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (trivial.has(value as number)) continue;
    // Client generators take an empty schema for the type of all fields.
    if (keyword === "additionalProperties" && isSchema(value) && Object.keys(value).length === 0)
      continue;
    if (keyword === "pattern" && node.format === "date-time") continue;
    if (keyword === "$ref")
      tidied.$ref = String(value).replace("#/$defs/", "#/components/schemas/");
    else if (keyword === "examples" || keyword === "default" || keyword === "enum")
      tidied[keyword] = value;
    else if (Array.isArray(value))
      tidied[keyword] = value.map((entry) => (isSchema(entry) ? tidy(entry) : entry));
    else tidied[keyword] = isSchema(value) ? tidy(value) : value;
  }
  if (tidied.format === "int64" && !tidied.examples) tidied.examples = [snowflakeExample];
  if (needsInt64(tidied)) tidied.format = "int64";
  return joinNull(tidied);
}

function joinNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return rest;
  const [first, second, third] = anyOf as JsonSchema[];
  if (third || typeof first?.type !== "string" || second?.type !== "null")
    return { anyOf, ...rest };
  return { ...first, type: [first.type, "null"], ...rest };
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
