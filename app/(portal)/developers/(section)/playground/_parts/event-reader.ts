export interface LiveEvent {
  readonly cursor: string;
  readonly type: string;
  /** Raw JSON. */
  readonly text: string;
}

/** After `ended` the reader does not reconnect by itself. */
export type ReaderState =
  | { readonly kind: "connecting" | "reading" }
  | { readonly kind: "reconnecting" | "ended"; readonly why: string };

interface ReaderOptions {
  readonly accessToken: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: LiveEvent) => void;
  readonly onState: (state: ReaderState) => void;
  /** Milliseconds. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly fetch?: typeof fetch;
}

const address = "/api/v1/events";
const usualRetry = 3_000;
/** Long-poll seconds. */
const longestWait = 20;

const endings: Readonly<Record<string, string>> = {
  token_expired: "The token expired. Connect again.",
  revoked: "The token was revoked. Connect again.",
  paused: "You paused this application. Resume it under Connected apps.",
  suspended: "The application is suspended.",
};

/**
 * Reads the stream, or the list if there is none, until `signal` or the token's end. After a break
 * it resumes at its cursor.
 */
export async function readLiveEvents(options: ReaderOptions): Promise<void> {
  const { accessToken, signal, onEvent, onState, pause = pauseFor, fetch: send = fetch } = options;
  const began = Math.floor(Date.now() / 1_000);
  let after: string | undefined;
  let retry = usualRetry;
  let listOnly = false;
  onState({ kind: "connecting" });
  while (!signal.aborted) {
    const query = new URLSearchParams(after === undefined ? {} : { after });
    if (listOnly) query.set("wait", String(longestWait));
    if (listOnly && after === undefined) query.set("since", String(began));
    const headers = {
      Accept: listOnly ? "application/json" : "text/event-stream",
      Authorization: `Bearer ${accessToken}`,
    };
    try {
      const response = await send(query.size === 0 ? address : `${address}?${query}`, {
        headers,
        signal,
        cache: "no-store",
      });
      if (response.status === 401 || response.status === 403)
        return onState({ kind: "ended", why: "The token is no longer accepted. Connect again." });
      if (!response.ok) {
        retry = Number(response.headers.get("retry-after") ?? 0) * 1_000 || usualRetry;
        throw new Error(`The answer was ${response.status}.`);
      }
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        onState({ kind: "reading" });
        if (listOnly) {
          const page = (await response.json()) as {
            events: { cursor: string; type: string }[];
            cursor: string;
          };
          for (const event of page.events)
            onEvent({
              cursor: event.cursor,
              type: event.type,
              text: JSON.stringify(event, null, 2),
            });
          after = page.cursor;
          if (page.events.length === 0) await pause(1_000, signal);
        }
        listOnly = true;
        continue;
      }
      onState({ kind: "reading" });
      let ending: string | undefined;
      for await (const frame of framesOf(response)) {
        if (frame.retry !== undefined) retry = frame.retry;
        if (frame.id !== undefined) after = frame.id;
        if (frame.data === undefined) continue;
        if (frame.event === "end") ending = (JSON.parse(frame.data) as { reason: string }).reason;
        else
          onEvent({
            cursor: frame.id ?? "",
            type: frame.event ?? "message",
            text: indent(frame.data),
          });
      }
      const why = ending === undefined ? undefined : endings[ending];
      if (why) return onState({ kind: "ended", why });
      onState({ kind: "reconnecting", why: "The stream ended. It goes on behind the last event." });
    } catch (error) {
      if (signal.aborted) return;
      const why = error instanceof Error ? error.message : "";
      onState({ kind: "reconnecting", why: `The connection was lost. ${why}`.trim() });
    }
    await pause(retry, signal);
  }
}

interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: number;
}

/** Server-sent events (HTML standard, section 9.2). A frame without data only moves the cursor. */
export async function* framesOf(response: Response): AsyncGenerator<Frame> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    for (let end = /\r?\n\r?\n/.exec(text); end; end = /\r?\n\r?\n/.exec(text)) {
      yield readFrame(text.slice(0, end.index));
      text = text.slice(end.index + end[0].length);
    }
  }
}

function readFrame(text: string): Frame {
  const values: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "data" && values.data !== undefined) values.data += `\n${value}`;
    else if (name !== "") values[name] = value;
  }
  const { retry, ...frame } = values;
  return { ...frame, ...(retry !== undefined && { retry: Number(retry) }) };
}

function indent(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
