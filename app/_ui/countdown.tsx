"use client";

import { useEffect, useState } from "react";

type Props = {
  /** Unix milliseconds of the server's clock, as the reader's may be wrong. */
  until: number;
  now: number;
  label?: string;
  over: string;
};

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** Use `now` as React key, so that a newer answer restarts the countdown. */
export function Countdown({ until, now, label, over }: Props) {
  const [passed, setPassed] = useState(0);

  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setPassed(performance.now() - start), 1_000);
    return () => clearInterval(timer);
  }, []);

  const seconds = Math.max(0, Math.ceil((until - now - passed) / 1_000));
  if (seconds === 0) return <span className="text-sm text-ink-faint">{over}</span>;
  const time = (
    <time dateTime={`PT${seconds}S`} translate="no" className="tabular font-medium">
      {Math.floor(seconds / 60)}:{twoDigits(seconds % 60)}
      <span className="sr-only"> left</span>
    </time>
  );
  return label ? (
    <>
      <span>{label}</span> {time}
    </>
  ) : (
    time
  );
}
