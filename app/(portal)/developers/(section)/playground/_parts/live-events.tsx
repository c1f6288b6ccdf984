"use client";

import { useEffect, useRef, useState } from "react";
import type { PlaygroundToken } from "#app/_parts/playground/flow";
import { Status, type Tone } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";

/** The page shows this many events; the log keeps all for seven days. */
const mostShown = 100;

type State = PollResult["kind"] | "stopped" | "connecting";
const words: Readonly<Record<State, readonly [Tone, string]>> = {
  stopped: ["neutral", "Stopped"],
  connecting: ["neutral", "Connecting"],
  live: ["good", "Live"],
  reconnecting: ["warn", "Reconnecting"],
  ended: ["bad", "Ended"],
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export function LiveEvents({ token }: { token: PlaygroundToken }) {
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [{ kind, why }, setState] = useState<{ kind: State; why?: string }>({ kind: "stopped" });
  const reader = useRef<AbortController>(undefined);
  const running = kind !== "stopped" && kind !== "ended";

  useEffect(() => () => reader.current?.abort(), []);

  async function start() {
    const controller = new AbortController();
    const { signal } = controller;
    reader.current = controller;
    setState({ kind: "connecting" });
    for await (const polled of pollEvents(token.accessToken, signal)) {
      if (signal.aborted) return;
      setState(polled);
      setEvents((shown) => [...polled.events.toReversed(), ...shown].slice(0, mostShown));
      await pause(polled.pause);
    }
  }

  function stop() {
    reader.current?.abort();
    setState({ kind: "stopped" });
  }

  const [tone, word] = words[kind];
  return (
    <Card
      title="Events"
      description={
        <>
          Live events for this token, from <code className="wrap-anywhere">GET /api/v1/events</code>
          .
        </>
      }
      actions={
        <>
          <span role="status">
            <Status tone={tone}>{word}</Status>
          </span>
          {running ? (
            <Button size="sm" onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button size="sm" onClick={start}>
              Start
            </Button>
          )}
        </>
      }
      footer={
        events.length > 0 && (
          <>
            <span className="tabular">The newest {events.length}, newest first.</span>
            <Button size="sm" onClick={() => setEvents([])}>
              Clear
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-3">
        {why && <p className="text-sm text-ink-soft">{why}</p>}
        {events.length === 0 ? (
          <p className="text-sm text-ink-soft">
            {running ? "No events yet. Create" : "Press Start, then create"} a vault request above.
            It needs the scope <code>faction:banking</code>.
          </p>
        ) : (
          <ol className="grid gap-2" aria-label="Events" aria-live="polite">
            {events.map((event, index) => (
              <li key={event.cursor}>
                <details open={index === 0}>
                  <summary className="rounded-control py-1 font-mono text-sm">{event.type}</summary>
                  <CodeBlock
                    code={JSON.stringify(event, null, 2)}
                    language="json"
                    label={event.type}
                    wrap
                  />
                </details>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  );
}

interface LiveEvent {
  readonly cursor: string;
  readonly type: string;
}

export interface PollResult {
  /** `ended` if the token no longer works. */
  readonly kind: "live" | "reconnecting" | "ended";
  readonly events: readonly LiveEvent[];
  readonly why?: string;
  /** Milliseconds until the next call. */
  readonly pause: number;
}

const usualPause = 1_000;
const retryPause = 3_000;
/** Seconds that a long poll may take. */
const longestWait = 20;

/** Uses long polls, because an instance may not offer streams. */
export async function* pollEvents(
  accessToken: string,
  signal: AbortSignal,
  send = fetch,
): AsyncGenerator<PollResult> {
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
