"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Progress } from "#app/_ui/progress.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";

const askedEveryMs = 10_000;

type Props = {
  /** What is being read: "Reading the last 30 days". */
  title: string;
  /** How much of it is there, and of what. Absent where that is not known. */
  done?: number;
  of?: number;
  unit?: string;
  /** The page, for a reader without script. */
  page: string;
};

/** Says what is still being read, and loads the page again until it is there. */
export function Filling({ title, done, of, unit, page }: Props) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), askedEveryMs);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-3 text-sm sm:px-5">
      <p role="status">
        {title}
        {done !== undefined && ` (${done} of ${of} ${unit})`}.{" "}
        <noscript>
          <TextLink href={page} document>
            Load again
          </TextLink>
        </noscript>
      </p>
      {done !== undefined && of !== undefined && <Progress done={done} of={of} label={title} />}
    </div>
  );
}

const minuteMs = 60_000;
/** A minute's tick is read at its fifth second, and stored a moment later. */
const storedAfterMs = 8_000;

/** Asks for the page again once a minute, after the tick of the stock market; not while nobody sees it. */
export function RefreshEachMinute() {
  const { refresh } = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const sinceTick = (Date.now() - storedAfterMs) % minuteMs;
      timer = setTimeout(() => {
        if (document.visibilityState === "visible") refresh();
        wait();
      }, minuteMs - sinceTick);
    };
    wait();
    return () => clearTimeout(timer);
  }, [refresh]);
  return null;
}
