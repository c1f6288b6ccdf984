import { readLimitedText } from "#server/platform/limited-text";
import { readJson } from "#server/rest/read-input";

const brand = Symbol.for("adjutant.chat-failure");

/** The chat's provider did not say whose account it is. Its message is for the log: a step and what was wrong, nothing quoted. */
export interface ChatFailure extends Error {
  readonly step: "token" | "user";
}

export const chatFailure = (step: ChatFailure["step"], problem: string): ChatFailure =>
  Object.assign(new Error(`${step}: ${problem}`), { name: "ChatFailure", [brand]: true, step });

/** Told apart by brand: two copies of this module live in one process. */
export const isChatFailure = (thrown: unknown): thrown is ChatFailure =>
  typeof thrown === "object" && thrown !== null && brand in thrown;

/** What is asked of the provider is answered in a few hundred bytes; more than this is not an answer. */
const mostBytes = 64 * 1024;

export interface Question extends Pick<RequestInit, "method" | "headers" | "body"> {
  readonly step: ChatFailure["step"];
  readonly url: string;
  /** Milliseconds for all of it, body included. */
  readonly timeoutMs: number;
}

/**
 * Asks the chat's provider something. It is trusted with nothing but the answer: no redirect is followed (it could take the
 * secret elsewhere), and time and size are bounded.
 * @returns the answer's JSON, integers exact
 * @throws ChatFailure and nothing else
 */
export async function callProvider({ step, url, timeoutMs, ...init }: Question): Promise<unknown> {
  const text = await exchange(step, new Request(url, { ...init, redirect: "manual", cache: "no-store" }), timeoutMs);
  const read = readJson(text);
  if (!("value" in read)) throw chatFailure(step, read.unreadable);
  return read.value;
}

async function exchange(step: ChatFailure["step"], request: Request, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(request, { signal });
    if (response.status !== 200) {
      response.body?.cancel().catch(() => undefined);
      throw chatFailure(step, `HTTP ${response.status}`);
    }
    const text = await readLimitedText(response, mostBytes);
    if (text === undefined) throw chatFailure(step, `more than ${mostBytes} bytes`);
    return text;
  } catch (thrown) {
    if (signal.aborted) throw chatFailure(step, `no answer within ${timeoutMs} ms`);
    throw isChatFailure(thrown) ? thrown : chatFailure(step, networkCode(thrown));
  }
}

/** The code of a failed connection (`ECONNREFUSED`): all that is told of it, since a message may quote the request. */
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "no connection";
}
