"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { BoardPart } from "#server/faction/show-board";

const streamPath = "/faction/events";
/** Wait after a refused connection, because the browser does not reconnect then. */
const retryMs = 60_000;
/** Background tabs listen this long, because the title counts hits. */
const hiddenMs = 600_000;

/** The game is read every 30 seconds, so faster polling shows nothing new. */
export const pollMs = 30_000;

/**
 * Follows the faction's changes while the page is visible, and `hiddenMs` longer.
 * @param onChange changed parts; "all" after a reconnect, when changes may be missed
 * @returns true while connected; otherwise the page polls
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
        // Changes may have been missed since the rendering or while disconnected.
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
        // The session ended: a reload removes the private content.
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

/** A refresh keeps typed values. */
export function RefreshOnVaultChange() {
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
