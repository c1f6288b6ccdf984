export interface LiveEvent {
  readonly cursor: string;
  readonly type: string;
}

export interface Polled {
  /** After `ended` the token is of no use. */
  readonly kind: "live" | "reconnecting" | "ended";
  readonly events: readonly LiveEvent[];
  readonly why?: string;
  /** Milliseconds until the next call. */
  readonly pause: number;
}

const usualPause = 1_000;
const retryPause = 3_000;
/** Long-poll seconds. */
const longestWait = 20;

/** What happens from now on, by long polls, which also an instance without streams answers. */
export async function* pollEvents(
  accessToken: string,
  signal: AbortSignal,
  send = fetch,
): AsyncGenerator<Polled> {
  let query = `since=${Math.floor(Date.now() / 1_000)}`;
  while (!signal.aborted) {
    try {
      const response = await send(`/api/v1/events?${query}`, {
        headers: { Authorization: `Bearer ${accessToken}` },
        signal,
        cache: "no-store",
      });
      const answer = await response.json();
      if (response.ok) {
        query = `after=${answer.cursor}&wait=${longestWait}`;
        yield { kind: "live", events: answer.events, pause: usualPause };
      } else {
        const isEnd = response.status === 401 || response.status === 403;
        yield {
          kind: isEnd ? "ended" : "reconnecting",
          events: [],
          why: answer.message,
          pause: Number(response.headers.get("retry-after")) * 1_000 || retryPause,
        };
        if (isEnd) return;
      }
    } catch {
      yield {
        kind: "reconnecting",
        events: [],
        why: "The connection was lost.",
        pause: retryPause,
      };
    }
  }
}
