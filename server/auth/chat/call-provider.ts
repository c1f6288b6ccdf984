import { networkCode } from "#server/platform/fetch";
import { readLimitedText } from "#server/platform/limited-text";
import { isUpstreamError, type UpstreamError, upstreamError } from "#server/platform/upstream-error";
import { isTimeout, within } from "#server/platform/within";
import { readJson } from "#server/rest/read-input";

/** The chat's provider did not say whose account it is. Its message is for the log: a step and what was wrong, nothing quoted. */
export type ProviderError = UpstreamError & { readonly upstream: "chat-provider"; readonly kind: "token" | "user" };

export const providerError = (kind: ProviderError["kind"], problem: string): ProviderError =>
  upstreamError(`${kind}: ${problem}`, { name: "ProviderError", upstream: "chat-provider", kind }) as ProviderError;

export const isProviderError = (thrown: unknown): thrown is ProviderError => isUpstreamError(thrown, "chat-provider");

/** What is asked of the provider is answered in a few hundred bytes; more than this is not an answer. */
const mostBytes = 64 * 1024;

export interface Question extends Pick<RequestInit, "method" | "headers" | "body"> {
  readonly step: ProviderError["kind"];
  readonly url: string;
  /** Milliseconds for all of it, body included. */
  readonly timeoutMs: number;
}

/**
 * Asks the chat's provider something. It is trusted with nothing but the answer: no redirect is followed (it could take the
 * secret elsewhere), and time and size are bounded.
 * @returns the answer's JSON, integers exact
 * @throws ProviderError and nothing else
 */
export async function callProvider({ step, url, timeoutMs, ...init }: Question): Promise<unknown> {
  const text = await exchange(step, new Request(url, { ...init, redirect: "manual", cache: "no-store" }), timeoutMs);
  const read = readJson(text);
  if (!("value" in read)) throw providerError(step, read.unreadable);
  return read.value;
}

async function exchange(step: ProviderError["kind"], request: Request, timeoutMs: number): Promise<string> {
  return within(timeoutMs, async (signal) => {
    const response = await fetch(request, { signal });
    if (response.status !== 200) {
      response.body?.cancel().catch(() => undefined);
      throw providerError(step, `HTTP ${response.status}`);
    }
    const text = await readLimitedText(response, mostBytes);
    if (text === undefined) throw providerError(step, `more than ${mostBytes} bytes`);
    return text;
  }).catch((thrown: unknown) => {
    if (isTimeout(thrown)) throw providerError(step, `no answer within ${timeoutMs} ms`);
    throw isProviderError(thrown) ? thrown : providerError(step, networkCode(thrown));
  });
}
