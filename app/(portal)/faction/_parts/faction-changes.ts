"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { BoardPart } from "#server/faction/show-board";

const streamPath = "/faction/events";
/** After a refusal the browser does not try again by itself. */
const retryMs = 60_000;
/** A tab in the background listens for so long: its title still counts hits. */
const hiddenMs = 600_000;

/** Hits are read from the game every 30 seconds; a page that is asked for more often shows nothing sooner. */
export const pollMs = 30_000;

/**
 * Follows changes of the user's faction, while the page is in sight and for a while after.
 * @param onChange gets the parts that changed; "all" once the stream is connected again, because changes were missed
 * @returns whether the stream is connected; without it a page polls
 */
export function useFactionChanges(
  onChange: (parts: readonly BoardPart[] | "all") => void,
): boolean {
  const [isConnected, setConnected] = useState(true);
  const tell = useRef(onChange);
  tell.current = onChange;

  useEffect(() => {
    let stream: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let leave: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      clearTimeout(retry);
      stream?.close();
      stream = undefined;
    };
    const open = () => {
      close();
      const opened = new EventSource(streamPath);
      stream = opened;
      opened.onopen = () => {
        setConnected(true);
        // Something may have changed since the page was written, or while the stream was down.
        tell.current("all");
      };
      opened.onerror = () => {
        setConnected(false);
        if (opened.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs);
      };
      opened.addEventListener("changed", ({ data }: MessageEvent<string>) => {
        tell.current(data.split(" ") as BoardPart[]);
      });
      opened.addEventListener("end", ({ data }: MessageEvent<string>) => {
        // The session has ended: reload to hide its data.
        if (data === "signed-out") window.location.reload();
      });
    };
    const follow = () => {
      clearTimeout(leave);
      if (document.visibilityState !== "visible") leave = setTimeout(close, hiddenMs);
      else if (!stream || stream.readyState === EventSource.CLOSED) open();
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      clearTimeout(leave);
      close();
    };
  }, []);
  return isConnected;
}

/** Asks for the page again when requests to the vault have changed. Typed text stays. */
export function FollowVault() {
  const { refresh } = useRouter();
  const isConnected = useFactionChanges((parts) => {
    if (parts === "all" || parts.includes("vault")) refresh();
  });
  useEffect(() => {
    if (isConnected) return;
    const timer = setInterval(refresh, pollMs);
    return () => clearInterval(timer);
  }, [isConnected, refresh]);
  return null;
}
