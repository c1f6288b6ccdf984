import type { z } from "zod";
import type { Endpoint } from "./endpoint";
import { unstorable } from "./path";
import { readJson } from "./read-json";
import { badFields, type FieldError } from "./respond";

/** What a call brings along, as its endpoint declared it. */
export interface Input {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Parses query and body by the endpoint's schemas. What they do not declare is ignored.
 * @param search the query string without its question mark
 * @param text the body, empty where there is none
 * @throws UnknownElement that lists every bad field of both
 */
export function readInput(endpoint: Endpoint, sent: { search: string; text: string }): Input {
  const errors: FieldError[] = [];
  const query = endpoint.query && parseQuery(endpoint.query, sent.search, errors);
  const body = endpoint.body && parseBody(endpoint.body, sent.text, errors);
  if (errors.length > 0) throw badFields(errors);
  return { query, body };
}

function parseQuery(schema: z.ZodType, search: string, errors: FieldError[]): unknown {
  // Without a prototype "__proto__" is a name like any other; nobody declares it, so it is ignored.
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search))
    fields[name] = name in fields || unstorable.test(value) ? notOnce : value;
  return parse(schema, fields, {
    errors,
    whole: "query",
    messages: (field) => (fields[field] === notOnce ? onceOnly : undefined),
  });
}

/** Stands for a value that no schema accepts. */
const notOnce = Symbol("not one readable value");
const onceOnly = "must be given once, as readable text";

function parseBody(schema: z.ZodType, text: string, errors: FieldError[]): unknown {
  if (text === "") return parse(schema, undefined, { errors, whole: "body", messages: () => "is missing" });
  const read = readJson(text);
  if ("unreadable" in read) {
    errors.push({ field: "body", message: read.unreadable });
    return undefined;
  }
  return parse(schema, read.value, { errors, whole: "body", messages: () => undefined });
}

/** Faults of one query or body; more help nobody. */
const mostTold = 50;

interface Reporting {
  readonly errors: FieldError[];
  /** The name of the whole, for what is wrong with it as such. */
  readonly whole: string;
  /** A better message for a field than the schema's, if there is one. */
  readonly messages: (field: string) => string | undefined;
}

function parse(schema: z.ZodType, value: unknown, { errors, whole, messages }: Reporting): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const named = new Set<string>();
  for (const issue of parsed.error.issues.slice(0, mostTold)) {
    const field = issue.path.map(String).join(".");
    if (!named.has(field)) errors.push({ field: field || whole, message: messages(field) ?? issue.message });
    named.add(field);
  }
  return undefined;
}
