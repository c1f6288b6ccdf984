"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Progress } from "#app/_ui/progress.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";

function useRefresh(everyMs: number): void {
  const { refresh } = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [refresh, everyMs]);
}

const fillingMs = 10_000;
const waitingMs = 3_000;

export function RefreshSoon() {
  useRefresh(waitingMs);
  return null;
}

type Props = {
  title: string;
  done?: number;
  of?: number;
  unit?: string;
  /** Address for a reload without script. */
  page: string;
};

/** Reloads the page until it is rendered without this notice. */
export function LoadingNotice({ title, done, of, unit, page }: Props) {
  useRefresh(fillingMs);
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
/** The stock tick is read five seconds into each minute, and stored a moment later. */
const storedAfterMs = 8_000;

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
