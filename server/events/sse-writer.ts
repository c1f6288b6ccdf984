import type { ServerResponse } from "node:http";
import type { z } from "zod";
import { writeExact } from "#server/platform/exact-json";
import type { Context } from "../context";
import { AnyEvent, type EventRecordOut } from "./event-record";
import type { LostCursor } from "./read-page";

/** How a stream stands when the clock ticks; "blocked": what was written last has not been taken. */
export type WriterState = "closed" | "blocked" | "aged" | "ready";

/** Writes frames to one open answer, and ends it where its reader does not keep up. */
export interface SseWriter {
  /** Begins with how long to wait before a return, and with `first`. A response that is gone already closes the stream. */
  open(to: ServerResponse, first: () => string): void;
  /** Whether there is an answer to write to. */
  isOpen(): boolean;
  isOver(): boolean;
  isBlocked(): boolean;
  write(text: string): void;
  /**
   * Ends the stream with a last frame, unless what was written before it was never taken.
   * @param options.cutOff the reader may be told nothing more, not even what the system still keeps for it
   */
  finish(frame: string, options?: { readonly cutOff?: boolean }): void;
  /** Ends a reader that has been blocked for too long. @param cutOff a blocked one is ended at once */
  tick(elapsed: number, cutOff?: boolean): WriterState;
}

const shortestRetry = 2_000;
const retrySpread = 6_000;
/** Milliseconds in which a last frame is taken before the connection is reset. */
const lastFrame = 5_000;
const lastFrameOfCutOff = 150;

/**
 * @param on.close called once, when nothing can be written any more
 * @param on.drain called when a blocked reader takes again
 */
export function createSseWriter(
  { ids, eventFeed: { limits } }: Pick<Context, "ids" | "eventFeed">,
  on: { readonly close: () => void; readonly drain?: () => void },
): SseWriter {
  let response: ServerResponse | undefined;
  let blockedSince: number | undefined;
  let over = false;
  const draw = () => (ids.bytes(1)[0] ?? 0) / 256;
  // Streams that opened in one moment do not all come back in one moment.
  const endsAt = performance.now() + limits.age * (0.8 + 0.4 * draw());

  const close = () => {
    if (over) return;
    over = true;
    on.close();
  };
  const write = (text: string) => {
    if (over || !response || response.write(text)) return;
    blockedSince = performance.now();
    response.once("drain", () => {
      blockedSince = undefined;
      on.drain?.();
    });
  };
  return {
    open: (to, first) => {
      if (over) return void to.end();
      if (to.destroyed || !to.socket) return close();
      response = to;
      to.once("close", close).on("error", close);
      write(`${retryFrame(Math.round(shortestRetry + retrySpread * draw()))}${first()}`);
    },
    isOpen: () => response !== undefined && !over,
    isOver: () => over,
    isBlocked: () => blockedSince !== undefined,
    write,
    finish: (frame, { cutOff = false } = {}) => {
      if (over) return;
      close();
      const socket = response?.socket;
      if (!response || !socket) return;
      const reset = () => void socket.resetAndDestroy();
      if (blockedSince !== undefined) return reset();
      if (cutOff) response.write(frame);
      else response.end(frame);
      const timer = setTimeout(reset, cutOff ? lastFrameOfCutOff : lastFrame).unref();
      socket.once("close", () => clearTimeout(timer));
    },
    tick: (elapsed, cutOff = false) => {
      if (over || !response) return "closed";
      if (blockedSince === undefined) return elapsed > endsAt ? "aged" : "ready";
      if (elapsed - blockedSince <= limits.slow && !cutOff) return "blocked";
      const { socket } = response;
      close();
      socket?.resetAndDestroy();
      return "closed";
    },
  };
}

/** Why a stream ends. What is cut for not reading learns it from the connection alone. */
export type StreamEnd = "token_expired" | "revoked" | "paused" | "suspended" | "age" | "drain";

/** An event in a stream (HTML standard, section 9.2): its data is what the list says, to the letter. */
export const eventFrame = (event: EventRecordOut): string =>
  `id: ${event.cursor}\nevent: ${event.type}\ndata: ${writeExact(AnyEvent.parse(event) satisfies z.output<typeof AnyEvent>)}\n\n`;

/** Moves the reader's position and is no event: nothing is dispatched for a frame without data. */
export const positionFrame = (cursor: string): string => `id: ${cursor}\n\n`;

/** After how many milliseconds the reader may come back. */
const retryFrame = (milliseconds: number): string => `retry: ${milliseconds}\n`;

/** The position led nowhere: the stream goes on from now, which is `cursor`. */
export const resetFrame = (reset: { reason: LostCursor; oldest: string; cursor: string }): string =>
  `id: ${reset.cursor}\nevent: reset\ndata: ${writeExact(reset)}\n\n`;

export const endFrame = (cursor: string, reason: StreamEnd): string =>
  `id: ${cursor}\nevent: end\ndata: ${writeExact({ reason })}\n\n`;
