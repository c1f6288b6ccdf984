import { unstorable } from "#server/platform/input-schemas";
import type { Endpoint, Method } from "./endpoint";

export interface Route {
  readonly template: string;
  readonly methods: ReadonlyMap<Method, Endpoint>;
  readonly allow: string;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string | number>>;
}

interface Mounted {
  readonly path: string;
  readonly endpoint: Endpoint;
}

export const expandAliases = (endpoints: readonly Endpoint[]): Mounted[] =>
  endpoints.flatMap((endpoint) =>
    [endpoint.path, endpoint.alias]
      .filter((path) => path !== undefined)
      .map((path) => ({ path, endpoint })),
  );

export type Segment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "int"; readonly name: string }
  | { readonly kind: "string"; readonly name: string };

const parameter = /^<(int:)?([a-z_]+)>$/;

/** @throws for an invalid notation */
export function parsePath(path: string): Segment[] {
  const [root, ...segments] = path.split("/");
  if (root !== "" || segments.length === 0)
    throw new Error(`"${path}" does not start with a slash.`);
  return segments.map((text) => {
    const match = parameter.exec(text);
    const name = match?.[2];
    if (name) return match[1] ? { kind: "int", name } : { kind: "string", name };
    if (!/^[a-zA-Z0-9._-]+$/.test(text))
      throw new Error(`"${path}": "${text}" is neither text nor a parameter.`);
    return { kind: "text", text };
  });
}

interface Pattern {
  readonly segments: readonly Segment[];
  readonly route: Route;
}

const noParams = Object.freeze({});

/**
 * Tries paths with most fixed text first, so that `/faction/crime/names` never matches an id.
 * @param prefix "/api/v1"
 * @throws if two endpoints claim the same method and path
 */
export function compileRouter(
  endpoints: readonly Endpoint[],
  prefix: string,
): (pathname: string) => Match | undefined {
  const routes = new Map<string, Map<Method, Endpoint>>();
  for (const { path, endpoint } of expandAliases(endpoints)) {
    const methods = routes.get(path) ?? new Map<Method, Endpoint>();
    if (methods.has(endpoint.method))
      throw new Error(`${endpoint.method} ${path} stands twice in the table.`);
    routes.set(path, methods.set(endpoint.method, endpoint));
  }

  const fixed = new Map<string, Match>();
  const patterns: Pattern[] = [];
  for (const [path, methods] of routes) {
    const segments = parsePath(path);
    const route: Route = { template: prefix + path, methods, allow: allowed(methods) };
    if (segments.every((segment) => segment.kind === "text"))
      fixed.set(prefix + path, { route, params: noParams });
    else patterns.push({ segments, route });
  }
  patterns.sort((a, b) => fixedSegments(b) - fixedSegments(a));
  const bySegments = Map.groupBy(patterns, ({ segments }) => segments.length);

  return (pathname) => {
    const known = fixed.get(pathname);
    if (known) return known;
    if (!pathname.startsWith(`${prefix}/`)) return undefined;
    const parts = pathname.slice(prefix.length + 1).split("/");
    for (const { segments, route } of bySegments.get(parts.length) ?? []) {
      const params = read(segments, parts);
      if (params) return { route, params };
    }
    return undefined;
  };
}

function read(
  segments: readonly Segment[],
  parts: readonly string[],
): Record<string, string | number> | undefined {
  const params: Record<string, string | number> = {};
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at];
    const part = parts[at];
    if (!segment || part === undefined) return undefined;
    if (segment.kind === "text") {
      if (segment.text !== part) return undefined;
      continue;
    }
    const value = segment.kind === "int" ? readInt(part) : readSegment(part);
    if (value === undefined) return undefined;
    params[segment.name] = value;
  }
  return params;
}

const largestInt = 2 ** 31 - 1;

/** 1 … 2^31−1, without a leading zero. */
export function readInt(text: string): number | undefined {
  const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return value <= largestInt ? value : undefined;
}

/** RFC 3986 section 2.1. Undefined if the text cannot be stored. */
export function readSegment(text: string): string | undefined {
  if (text === "") return undefined;
  if (!text.includes("%")) return unstorable.test(text) ? undefined : text;
  try {
    const decoded = decodeURIComponent(text);
    return unstorable.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

const fixedSegments = (pattern: Pattern) =>
  pattern.segments.filter((segment) => segment.kind === "text").length;

const allowed = (methods: ReadonlyMap<Method, Endpoint>) =>
  [...methods.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .concat("OPTIONS")
    .join(", ");
