import type { z } from "zod";
import { GeneralError, InvalidContentType, isFailure, PayloadTooLarge } from "#server/failures";
import { parseExact } from "#server/platform/exact-json";
import { unstorable } from "#server/platform/input-schemas";
import { decodeUtf8, readLimitedBytes } from "#server/platform/limited-text";
import type { Endpoint } from "./endpoint";
import type { RequestOrigin } from "./request-context";
import { badFields, type FieldError } from "./respond";

export interface Input {
  readonly query: unknown;
  readonly body: unknown;
}

/** @throws UnknownElement with every bad field of query and body */
export function readInput(endpoint: Endpoint, sent: { search: string; text: string }): Input {
  const errors: FieldError[] = [];
  const query = endpoint.query && parseQuery(endpoint.query, sent.search, errors);
  const body = endpoint.body && parseBody(endpoint.body, sent.text, errors);
  if (errors.length > 0) throw badFields(errors);
  return { query, body };
}

function parseQuery(schema: z.ZodType, search: string, errors: FieldError[]): unknown {
  // Without a prototype, "__proto__" is an ordinary name.
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search))
    fields[name] = name in fields || unstorable.test(value) ? notOnce : value;
  return parseField(schema, fields, {
    errors,
    whole: "query",
    messages: (field) => (fields[field] === notOnce ? onceOnly : undefined),
  });
}

const notOnce = Symbol("not one readable value");
const onceOnly = "must be given once, as readable text";

function parseBody(schema: z.ZodType, text: string, errors: FieldError[]): unknown {
  if (text === "")
    return parseField(schema, undefined, { errors, whole: "body", messages: () => "is missing" });
  const read = readJson(text);
  if ("unreadable" in read) {
    errors.push({ field: "body", message: read.unreadable });
    return undefined;
  }
  return parseField(schema, read.value, { errors, whole: "body", messages: () => undefined });
}

const maxReportedErrors = 50;

interface Reporting {
  readonly errors: FieldError[];
  readonly whole: string;
  readonly messages: (field: string) => string | undefined;
}

function parseField(
  schema: z.ZodType,
  value: unknown,
  { errors, whole, messages }: Reporting,
): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const named = new Set<string>();
  for (const issue of parsed.error.issues.slice(0, maxReportedErrors)) {
    const field = issue.path.map(String).join(".");
    if (!named.has(field))
      errors.push({ field: field || whole, message: messages(field) ?? issue.message });
    named.add(field);
  }
  return undefined;
}

export const largestBody = 64 * 1_024;

const plain = /^(?:identity)?$/i;
const json = /^application\/json(?:\s*;.*)?$/i;

/**
 * Checks the type, then the size. Without a length the first byte shows that there is a body.
 * @throws InvalidContentType, PayloadTooLarge, GeneralError
 */
export async function readBody(request: Request, peer: RequestOrigin): Promise<string> {
  const { headers } = request;
  if (request.method === "GET" || request.method === "HEAD") {
    if (!peer.oversized && !peer.body?.length) return "";
    refuseUnreadable(headers);
    if (peer.oversized) throw PayloadTooLarge.because();
    return peer.body ? decoded(peer.body) : "";
  }
  const length = headers.get("content-length");
  if (Number(length ?? 0) > 0) refuseUnreadable(headers);
  if (Number(length ?? 0) > largestBody) throw PayloadTooLarge.because();
  if (length !== null && Number(length) === 0) return "";
  return request.body ? decoded(await gather(request.body, () => refuseUnreadable(headers))) : "";
}

/** @throws InvalidContentType */
function refuseUnreadable(headers: Headers): void {
  if (!json.test(headers.get("content-type") ?? "")) throw InvalidContentType.because();
  // RFC 9110 section 15.5.16.
  if (!plain.test(headers.get("content-encoding") ?? ""))
    throw InvalidContentType.because({
      message: "The body must be sent as it is, without a content coding.",
    });
}

async function gather(body: ReadableStream<Uint8Array>, beforeFirst: () => void): Promise<Buffer> {
  const bytes = await readLimitedBytes(body, largestBody, beforeFirst).catch((thrown: unknown) => {
    throw isFailure(thrown)
      ? thrown
      : GeneralError.because({ message: "The request's body ended early.", cause: thrown });
  });
  if (bytes === undefined) throw PayloadTooLarge.because();
  return bytes;
}

function decoded(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  if (text === undefined)
    throw GeneralError.because({ message: "The request's body is not UTF-8." });
  return text;
}

/** Far below the parser's stack limit. */
const deepest = 32;

/** RFC 8259 with exact integers. */
export function readJson(
  text: string,
): { readonly value: unknown } | { readonly unreadable: string } {
  if (deeper(text)) return { unreadable: `JSON is nested more than ${deepest} levels deep` };
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return { unreadable: "not JSON" };
  }
  return harmless(value)
    ? { value }
    : { unreadable: "text holds U+0000 or half of a surrogate pair" };
}

function deeper(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === 92) at++;
      else if (char === 34) quoted = false;
    } else if (char === 34) quoted = true;
    else if (char === 123 || char === 91) {
      if (++depth > deepest) return true;
    } else if (char === 125 || char === 93) depth--;
  }
  return false;
}

/** Removes `__proto__` and checks that all text can be stored. */
function harmless(value: unknown): boolean {
  if (typeof value === "string") return !unstorable.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(harmless);
  if (Object.getPrototypeOf(value) !== Object.prototype)
    Object.setPrototypeOf(value, Object.prototype);
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  return Object.entries(value).every(([key, entry]) => !unstorable.test(key) && harmless(entry));
}
