"use client";

import { useEffect, useRef, useState } from "react";
import { trpc } from "#app/_lib/trpc";
import type { BoardPart } from "#server/faction/board/board-parts";

const streamPath = "/faction/events";
/** After a refusal the browser does not try again by itself. */
const retryMs = 60_000;

/**
 * Asks for a part of the board again when the server says that it has changed, while the page is in sight.
 * @returns whether changes are heard of; without them the parts are asked for by the clock
 */
export function useBoardChanges(): boolean {
  const [isHeard, setHeard] = useState(true);
  const { factionBoard } = trpc.useUtils();
  const board = useRef(factionBoard);
  board.current = factionBoard;

  useEffect(() => {
    let stream: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
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
        setHeard(true);
        // What has changed since the page was written, or while nothing was heard.
        void board.current.invalidate();
      };
      opened.onerror = () => {
        setHeard(false);
        if (opened.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs);
      };
      opened.addEventListener("changed", ({ data }: MessageEvent<string>) => {
        for (const part of data.split(" ")) void board.current[part as BoardPart].invalidate();
      });
      opened.addEventListener("end", ({ data }: MessageEvent<string>) => {
        // Nobody is signed in here any more: the page says so, and what it showed goes.
        if (data === "signed-out") window.location.reload();
      });
    };
    const follow = () => (document.visibilityState === "visible" ? open() : close());
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      close();
    };
  }, []);
  return isHeard;
}
