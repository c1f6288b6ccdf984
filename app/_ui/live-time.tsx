"use client";

import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "./relative-time";

type Props = { at: number; renderedAt: number; className?: string | undefined };

const tickMilliseconds = 30_000;

/** Time's client half. The first rendering repeats the server's (its instant, UTC); then it is the reader's clock and zone. */
export function LiveTime({ at, renderedAt, className }: Props) {
  const [now, setNow] = useState<number>();

  useEffect(() => {
    const tick = () => setNow(Math.floor(Date.now() / 1_000));
    tick();
    const timer = setInterval(tick, tickMilliseconds);
    return () => clearInterval(timer);
  }, []);

  return (
    <time
      dateTime={new Date(at * 1_000).toISOString()}
      title={exactTime(at, now === undefined ? "UTC" : undefined)}
      className={className}
      // Where Time itself is rendered in the browser, its instant is later than the server's.
      suppressHydrationWarning
    >
      {relativeTime(at, now ?? renderedAt)}
    </time>
  );
}
