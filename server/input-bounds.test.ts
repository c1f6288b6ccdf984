import { expect, test } from "vitest";
import type { z } from "zod";
import { processorTime } from "#server/testing/processor-time";
import { ApplicationInput } from "./oauth/clients/contract";
import { parseScopeList } from "./oauth/scope-list";
import { portalRouter } from "./portal/router";
import { routes } from "./routes";
import { fieldErrors } from "./trpc/refusal";

interface Definition {
  readonly type: string;
  /** Texts with their own format (uuid). */
  readonly format?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;
const hasCheck = ({ checks = [] }: Definition, names: readonly string[]) =>
  checks.some((check) => names.includes(check._zod.def.check));

/** Paths of unbounded lists, texts and records in a schema. */
function unbounded(schema: z.ZodType, path: string): string[] {
  const definition = definitionOf(schema);
  const inside = [
    definition.innerType,
    definition.out,
    ...(definition.options ?? []),
    ...(definition.items ?? []),
  ]
    .filter((inner) => inner !== undefined)
    .flatMap((inner) => unbounded(inner, path));
  switch (definition.type) {
    case "object":
      return Object.entries(definition.shape ?? {}).flatMap(([name, field]) =>
        unbounded(field, `${path}.${name}`),
      );
    case "record":
    case "map":
    case "set":
      return [`${path}: ${definition.type}`];
    case "array": {
      const element = definition.element;
      const items =
        element && definitionOf(element).type !== "unknown" ? unbounded(element, `${path}[]`) : [];
      // The list of unknown items before it is bounded.
      const counted =
        element && definitionOf(element).type === "unknown" && hasCheck(definition, ["max_length"]);
      return counted ? items : [`${path}: list`, ...items];
    }
    case "string":
      return definition.format ||
        hasCheck(definition, ["max_length", "length_equals", "string_format"])
        ? []
        : [`${path}: text`];
    case "pipe": {
      const { in: first, out } = definition;
      const counted =
        first && definitionOf(first).type === "array" && unbounded(first, path).length === 0;
      const element = out && definitionOf(out).element;
      // A query text that anchored patterns parse (an integer or a cursor).
      if (out && definitionOf(out).type === "custom") return [];
      if (counted && element) return unbounded(element, `${path}[]`);
      return [...(first ? unbounded(first, path) : []), ...inside];
    }
    default:
      return inside;
  }
}

const procedures = Object.entries(
  portalRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>,
);
const inputs = [
  ...procedures.flatMap(([name, { _def }]) =>
    _def.inputs.map((schema): [string, z.ZodType] => [name, schema as z.ZodType]),
  ),
  ...routes.flatMap(({ method, path, query, body }) =>
    [query, body].flatMap((schema): [string, z.ZodType][] =>
      schema ? [[`${method} ${path}`, schema]] : [],
    ),
  ),
];

test.each(inputs)("%s takes no list and no text without a bound", (name, schema) => {
  expect(unbounded(schema, name)).toEqual([]);
});

test("a list of 60,000 items is refused in a moment, with one fault and not 60,000", () => {
  const long = Array.from({ length: 60_000 }, () => "x");
  for (const field of ["scopes", "optionalScopes", "redirectUris"]) {
    const parse = () => ApplicationInput.safeParse({ [field]: long }).error;
    expect(parse()?.issues.filter(({ path }) => path[0] === field)).toHaveLength(1);
    expect(processorTime(parse)).toBeLessThan(50);
  }
});

test("a name of 80,000 combining marks is refused by its length alone", () => {
  const parse = () =>
    ApplicationInput.safeParse({ name: `a${"\u0301\u0316".repeat(40_000)}` }).error;
  expect(parse()?.issues.filter(({ path }) => path[0] === "name")).toHaveLength(1);
  expect(processorTime(parse)).toBeLessThan(50);
});

test("a scope string with 60,000 names, known or not, is read in a moment", () => {
  for (const name of ["identity", "x"]) {
    const text = Array.from({ length: 60_000 }, () => name).join(" ");
    expect(parseScopeList(text)).toBeUndefined();
    expect(processorTime(() => parseScopeList(text))).toBeLessThan(50);
  }
});

test("of many faults the first fifty are told, and no others are read", () => {
  let read = 0;
  const issues = Array.from({ length: 60_000 }, (_, index) => ({
    path: [index],
    get message() {
      read += 1;
      return "x";
    },
  }));
  expect(fieldErrors({ name: "ZodError", issues })).toHaveLength(50);
  expect(read).toBeLessThanOrEqual(100);
});
