import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { expect } from "vitest";
import { untilClosed } from "./raw-http";

/** A frame without an `event` only moves the position. */
export interface Frame {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary data.
  readonly data?: any;
  readonly retry?: string | undefined;
}

export interface EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly frames: Frame[];
  readonly socket: Socket;
  text(): string;
  subjects(): string[];
  lastId(): string | undefined;
  ended(): string | undefined;
  /** The time of the close in milliseconds. */
  readonly closed: Promise<number>;
  close(): void;
}

export function readEvents(
  url: string,
  token: string,
  more: { query?: string; headers?: Record<string, string>; method?: string } = {},
): Promise<EventReader> {
  const headers = {
    accept: "text/event-stream",
    authorization: `Bearer ${token}`,
    ...more.headers,
  };
  return new Promise((resolve, reject) => {
    const target = `${url}/api/v1/events${more.query ?? ""}`;
    const sent = httpRequest(
      target,
      { headers, method: more.method ?? "GET", agent: false },
      (answer) => {
        let text = "";
        let rest = "";
        const frames: Frame[] = [];
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
          rest += chunk;
          for (let at = rest.indexOf("\n\n"); at >= 0; at = rest.indexOf("\n\n")) {
            frames.push(frameOf(rest.slice(0, at)));
            rest = rest.slice(at + 2);
          }
        });
        answer.on("error", () => {});
        const closed = untilClosed(answer).then(() => performance.now());
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          frames,
          socket: answer.socket,
          text: () => text,
          subjects: () => eventsIn(frames).map(({ data }) => data.data.subject.id),
          lastId: () => frames.findLast(({ id }) => id !== undefined)?.id,
          ended: () => frames.find(({ event }) => event === "end")?.data.reason,
          closed,
          close: () => sent.destroy(),
        });
      },
    );
    sent.once("error", reject).end();
  });
}

export const eventsIn = (frames: readonly Frame[]): Frame[] =>
  frames.filter(({ event }) => event !== undefined && event !== "end" && event !== "reset");

function frameOf(text: string): Frame {
  const fields = new Map(
    text.split("\n").map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const data = fields.get("data");
  return {
    id: fields.get("id"),
    event: fields.get("event"),
    retry: fields.get("retry"),
    data: data === undefined ? undefined : JSON.parse(data),
  };
}

export const untilTold = (reader: EventReader, subject: string, timeout = 5_000): Promise<void> =>
  expect.poll(() => reader.subjects(), { timeout, interval: 5 }).toContain(subject);
