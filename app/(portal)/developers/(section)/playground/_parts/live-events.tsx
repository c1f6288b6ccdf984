"use client";

import { useEffect, useRef, useState } from "react";
import type { PlaygroundToken } from "#app/_parts/playground/flow";
import { Status, type Tone } from "#app/_ui/badge.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { type LiveEvent, type ReaderState, readLiveEvents } from "./event-reader";

/** The log keeps all for seven days. */
const mostShown = 100;

const words: Readonly<Record<ReaderState["kind"] | "stopped", readonly [Tone, string]>> = {
  stopped: ["neutral", "Stopped"],
  connecting: ["neutral", "Connecting"],
  reading: ["good", "Live"],
  reconnecting: ["warn", "Reconnecting"],
  ended: ["bad", "Ended"],
};

export function LiveEvents({ token }: { token: PlaygroundToken }) {
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [state, setState] = useState<ReaderState>();
  const reader = useRef<AbortController>(undefined);
  const running = state !== undefined && state.kind !== "ended";

  useEffect(() => () => reader.current?.abort(), []);

  function start() {
    const controller = new AbortController();
    reader.current = controller;
    const { signal } = controller;
    void readLiveEvents({
      accessToken: token.accessToken,
      signal,
      onEvent: (event) => setEvents((shown) => [event, ...shown].slice(0, mostShown)),
      onState: (next) => !signal.aborted && setState(next),
    });
  }

  function stop() {
    reader.current?.abort();
    setState(undefined);
  }

  const [tone, word] = words[state?.kind ?? "stopped"];
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
        {state && "why" in state && <p className="text-sm text-ink-soft">{state.why}</p>}
        {events.length === 0 ? (
          <p className="text-sm text-ink-soft">
            {running ? "No events yet. Create" : "Press Start, then create"} a vault request above.
            It needs the scope <code>faction:banking</code>.
          </p>
        ) : (
          <ol className="grid gap-2" aria-label="Events" aria-live="polite">
            {events.map(({ cursor, type, text }, index) => (
              <li key={cursor || index}>
                <details open={index === 0}>
                  <summary className="rounded-control py-1 font-mono text-sm">{type}</summary>
                  <CodeBlock code={text} language="json" label={type} wrap />
                </details>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  );
}
