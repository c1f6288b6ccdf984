import type { z } from "zod";
import type { Endpoint } from "#server/rest/endpoint";
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from "#server/rest/json-schema";
import { expandAliases, parsePath } from "#server/rest/router";
import type { Dice } from "./dice";
import { hostileNames, hostilePaths, hostileSegments, hostileTexts } from "./hostile-addresses";
import { hostileBodies, hostileJson } from "./hostile-bodies";
import { hostileHeaders, methods } from "./hostile-heads";

export interface DrawnCall {
  readonly of: Endpoint;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly as: string | undefined;
}

export interface CallSource {
  readonly endpoints: readonly Endpoint[];
  readonly callers: readonly string[];
  readonly ids: Readonly<Record<string, () => readonly (string | number)[]>>;
}

/** Share of valid values in each call, so that invalid ones get past the first check. */
const proper = 0.85;

/** @returns draws valid and invalid calls from the table: paths, methods, query and body fields */
export function callDrawer({ endpoints, callers, ids }: CallSource, dice: Dice): () => DrawnCall {
  const table = expandAliases(endpoints).map(({ path, endpoint }) => ({
    ...{ path: parsePath(path), endpoint },
    query: fieldsOf(endpoint.query),
    body: fieldsOf(endpoint.body),
  }));
  const fine = () => dice.happens(proper);

  function pathOf(segments: (typeof table)[number]["path"]): string {
    if (!dice.happens(0.95)) return dice.pick(hostilePaths);
    const parts = segments.map((part) => {
      if (part.kind === "text") return dice.happens(0.99) ? part.text : dice.pick(hostileSegments);
      return String(fine() ? dice.pick(ids[part.name]?.() ?? [1]) : dice.pick(hostileSegments));
    });
    return `/api/v1/${parts.join("/")}`;
  }

  function queryOf(fields: readonly Field[]): string {
    const pairs = fields
      .filter(() => dice.happens(0.4))
      .map(
        ({ name, good }) =>
          `${name}=${fine() ? encodeURIComponent(text(dice.pick(good))) : dice.pick(hostileTexts)}`,
      );
    const known = pairs[0];
    if (known && dice.happens(0.03)) pairs.push(known);
    if (dice.happens(0.1)) pairs.push(`${dice.pick(hostileNames)}=${dice.pick(hostileTexts)}`);
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  }

  function bodyOf(fields: readonly Field[]): string {
    if (dice.happens(0.12)) return dice.pick(hostileBodies);
    const pairs = fields
      .filter(({ required }) => dice.happens(required ? 0.97 : 0.4))
      .map(
        ({ name, good }) =>
          `${JSON.stringify(name)}:${fine() ? JSON.stringify(dice.pick(good)) : dice.pick(hostileJson)}`,
      );
    if (dice.happens(0.1))
      pairs.push(`${JSON.stringify(dice.pick(hostileNames))}:${dice.pick(hostileJson)}`);
    return `{${pairs.join(",")}}`;
  }

  function headersOf(endpoint: Endpoint, body: string | undefined): Record<string, string> {
    const headers: Record<string, string> =
      body === undefined ? {} : { "content-type": "application/json" };
    if (endpoint.idempotent && dice.happens(0.3))
      headers["idempotency-key"] = dice.pick(["a", "b", "c", "d"]);
    while (dice.happens(0.15)) {
      const [name, values] = dice.pick(hostileHeaders);
      headers[name] = dice.pick(values);
    }
    return headers;
  }

  return () => {
    const { path, endpoint, query, body: fields } = dice.pick(table);
    const wanted = endpoint.body
      ? fields
      : dice.happens(0.05)
        ? [{ name: "limit", required: false, good: [1] }]
        : null;
    const body = wanted && dice.happens(0.95) ? bodyOf(wanted) : undefined;
    return {
      of: endpoint,
      path: pathOf(path) + (query.length > 0 || dice.happens(0.1) ? queryOf(query) : ""),
      method: dice.happens(0.95) ? endpoint.method : dice.pick(methods),
      headers: headersOf(endpoint, body),
      body,
      as: dice.happens(0.95) ? dice.pick(callers) : undefined,
    };
  };
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly good: readonly unknown[];
}

const text = (value: unknown) => (typeof value === "string" ? value : String(value));

function fieldsOf(schema: z.ZodType | undefined): Field[] {
  if (!schema) return [];
  const named: NamedSchemas = new Map();
  const { properties = {}, required = [] } = jsonSchemaOf(schema, named);
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => ({
    name,
    required: (required as string[]).includes(name),
    good: goodValues(field),
  }));
}

function goodValues(field: JsonSchema): unknown[] {
  const { type, minimum, maximum, examples, default: usual } = field;
  const types = [type].flat();
  const good: unknown[] = Array.isArray(field.enum) ? [...field.enum] : [];
  if (Array.isArray(examples)) good.push(...examples);
  if (usual !== undefined) good.push(usual);
  if (types.includes("boolean")) good.push(true, false);
  for (const bound of [minimum, maximum]) if (typeof bound === "number") good.push(bound);
  if (types.includes("integer") || types.includes("number")) good.push(7);
  return good.length > 0 ? good : [1];
}
