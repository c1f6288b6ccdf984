import { shortenToken } from "./authorization";

export interface CallableEndpoint {
  readonly method: string;
  /** `/api/v1/user/{user_id}`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly description: string;
    readonly example: string;
  }[];
  /** Example JSON; undefined if none is sent. */
  readonly body: string | undefined;
}

export const holdsScope = (scope: string, by: readonly string[]): boolean =>
  by.includes(scope) || (scope.startsWith("faction:") && by.includes("faction"));

export function addressOf(
  { path, parameters }: CallableEndpoint,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  const query = new URLSearchParams();
  for (const { name, in: where } of parameters)
    if (where === "query" && values[name]) query.set(name, values[name]);
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** Headers other than Authorization. */
export const headersOf = (
  { parameters }: CallableEndpoint,
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ name, in: where }) =>
      where === "header" && values[name] ? [[name, values[name]]] : [],
    ),
  );

export interface CompletedCall {
  /** `command` shows a shortened token; `copied` has the whole one. */
  readonly command: string;
  readonly copied: string;
  readonly status: string;
  readonly ok: boolean;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Throws only if there is no answer at all. */
export async function callEndpoint(
  endpoint: CallableEndpoint,
  sent: { values: Readonly<Record<string, string>>; body: string; accessToken: string },
): Promise<CompletedCall> {
  const { method } = endpoint;
  const address = addressOf(endpoint, sent.values);
  const body = endpoint.body === undefined ? undefined : sent.body;
  const own = {
    ...headersOf(endpoint, sent.values),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const started = performance.now();
  const response = await fetch(address, {
    method,
    headers: { ...own, Authorization: `Bearer ${sent.accessToken}` },
    body: body ?? null,
    cache: "no-store",
  });
  const text = await response.text();
  const command = (token: string) =>
    curlOf({
      method,
      url: new URL(address, location.href).href,
      headers: { Authorization: `Bearer ${token}`, ...own },
      body,
    });
  return {
    command: command(shortenToken(sent.accessToken)),
    copied: command(sent.accessToken),
    status: `${response.status} ${response.statusText}`.trim(),
    ok: response.ok,
    milliseconds: Math.round(performance.now() - started),
    headers: [...response.headers].map(([name, value]) => [name, value] as const),
    body: indented(text),
  };
}

/** The shell expands nothing in single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function curlOf(request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}): string {
  const { method, url, headers, body } = request;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** Pretty-prints without number conversion: a 64-bit id must keep its digits. */
function indented(text: string): string {
  try {
    const digits = (_key: string, value: unknown, written?: { readonly source: string }) =>
      typeof value === "number" ? json.rawJSON(written?.source ?? "") : value;
    return JSON.stringify(JSON.parse(text, digits), null, 2);
  } catch {
    // Not JSON, or a browser from before 2025, which would round numbers.
    return text;
  }
}

/** Missing in TypeScript's library (TC39 JSON.parse source text access). */
const json = JSON as typeof JSON & { rawJSON(text: string): unknown };
