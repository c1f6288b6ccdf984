"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

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
