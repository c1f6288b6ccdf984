import { shortened } from "./exchange";
import { addressOf, headersOf, type Operation } from "./operations";

/** A call and its answer, as text. */
export interface Called {
  readonly request: string;
  readonly status: string;
  readonly ok: boolean;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Sends the call. An answer that is an error is an answer; only no answer at all throws. */
export async function callEndpoint(
  operation: Operation,
  sent: { values: Readonly<Record<string, string>>; body: string; accessToken: string },
): Promise<Called> {
  const address = addressOf(operation, sent.values);
  const { method } = operation;
  const withBody = operation.body !== undefined && method !== "GET";
  const own = { ...headersOf(operation, sent.values), ...(withBody && { "Content-Type": "application/json" }) };
  const started = performance.now();
  const response = await fetch(address, {
    method,
    headers: { ...own, Authorization: `Bearer ${sent.accessToken}` },
    body: withBody ? sent.body : null,
    cache: "no-store",
  });
  const text = await response.text();
  const shownHeaders = Object.entries({ ...own, Authorization: `Bearer ${shortened(sent.accessToken)}` });
  return {
    request: [
      `${method} ${address}`,
      ...shownHeaders.map(([name, value]) => `${name}: ${value}`),
      ...(withBody ? ["", sent.body] : []),
    ].join("\n"),
    status: `${response.status} ${response.statusText}`.trim(),
    ok: response.ok,
    milliseconds: Math.round(performance.now() - started),
    headers: [...response.headers].map(([name, value]) => [name, value] as const),
    body: await indented(text),
  };
}

/** JSON over several lines, every digit as it came: a 64-bit id must not pass through a JavaScript number. */
async function indented(text: string): Promise<string> {
  const { parse, stringify } = await import("lossless-json");
  try {
    return stringify(parse(text), null, 2) ?? text;
  } catch {
    return text;
  }
}
