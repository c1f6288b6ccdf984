import type { z } from "zod";
import { writeJson } from "../rest/respond";
import { AnyEvent, type EventRecordOut } from "./event-record";
import type { LostCursor } from "./read-page";

/** Why a stream ends. What is cut for not reading learns it from the connection alone. */
export type StreamEnd = "token_expired" | "revoked" | "paused" | "suspended" | "age" | "drain";

/** An event in a stream (HTML standard, section 9.2): its data is what the list says, to the letter. */
export const eventFrame = (event: EventRecordOut): string =>
  `id: ${event.cursor}\nevent: ${event.type}\ndata: ${writeJson(AnyEvent.parse(event) satisfies z.output<typeof AnyEvent>)}\n\n`;

/** Moves the reader's position and is no event: nothing is dispatched for a frame without data. */
export const positionFrame = (cursor: string): string => `id: ${cursor}\n\n`;

/** After how many milliseconds the reader may come back. */
export const retryFrame = (milliseconds: number): string => `retry: ${milliseconds}\n`;

/** The position led nowhere: the stream goes on from now, which is `cursor`. */
export const resetFrame = (reset: { reason: LostCursor; oldest: string; cursor: string }): string =>
  `id: ${reset.cursor}\nevent: reset\ndata: ${writeJson(reset)}\n\n`;

export const endFrame = (cursor: string, reason: StreamEnd): string =>
  `id: ${cursor}\nevent: end\ndata: ${writeJson({ reason })}\n\n`;
