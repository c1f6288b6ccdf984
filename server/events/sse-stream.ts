import type { ServerResponse } from "node:http";
import type { Context } from "../context";
import type { OpenStream } from "../rest/endpoint";
import type { Bell } from "./bell";
import type { Subscriber } from "./feed";

/** The last frame of a stream. */
export interface LastFrame {
  readonly frame: string;
  /** The reader may get nothing more, not even what the system still keeps for it. */
  readonly cutOff?: boolean;
}

/** What a stream says. */
export interface SseSource {
  /** Whether there is something to say. */
  isWaiting(): boolean;
  /** Fetches it. @returns false where there was nothing after all */
  fetch(): Promise<boolean>;
  /** Reads the reader's rights, before each write. @returns how the stream ends; undefined while the rights hold */
  ending(): Promise<LastFrame | undefined>;
  opening(): string;
  /** What was fetched, or a heartbeat; empty where it may not be said any more. */
  frames(): string;
  endFrame(reason: "age" | "drain"): string;
  /** When the rights end by themselves. */
  expiresAt?(): Date | undefined;
}

export interface SseStream extends Pick<Subscriber, "check" | "tick" | "end"> {
  readonly open: OpenStream;
}

const shortestRetry = 2_000;
const retrySpread = 6_000;
/** Milliseconds in which a last frame is taken before the connection is reset. */
const lastFrame = 5_000;
const lastFrameOfCutOff = 150;

/**
 * One open answer: writes what its source says, a heartbeat where that is nothing, and asks for the rights before each write. A reader
 * that takes nothing for too long is cut.
 * @param on.bell rung by the source when there is something to say
 * @param on.close called once, when nothing can be written any more
 */
export function createSseStream(
  { ids, eventFeed: { limits } }: Pick<Context, "ids" | "eventFeed">,
  source: SseSource,
  on: { readonly bell: Bell; readonly close: () => void },
): SseStream {
  const { bell } = on;
  let response: ServerResponse | undefined;
  let blockedSince: number | undefined;
  let over = false;
  const draw = () => (ids.bytes(1)[0] ?? 0) / 256;
  // Streams that opened in one moment do not all come back in one moment.
  const endsAt = performance.now() + limits.age * (0.8 + 0.4 * draw());

  const close = () => {
    if (over) return;
    over = true;
    bell.ring();
    on.close();
  };
  const write = (text: string) => {
    if (over || !response || text === "" || response.write(text)) return;
    blockedSince = performance.now();
    response.once("drain", () => {
      blockedSince = undefined;
      bell.ring();
    });
  };
  const finish = ({ frame, cutOff = false }: LastFrame) => {
    if (over) return;
    close();
    const socket = response?.socket;
    if (!response || !socket) return;
    // Unlike an end, a reset takes back what the system still keeps for the reader.
    const reset = () => void socket.resetAndDestroy();
    if (blockedSince !== undefined) return reset();
    if (cutOff) response.write(frame);
    else response.end(frame);
    const timer = setTimeout(reset, cutOff ? lastFrameOfCutOff : lastFrame).unref();
    socket.once("close", () => clearTimeout(timer));
  };
  const verify = async (): Promise<void> => {
    const end = await source.ending();
    if (end) finish(end);
  };
  const turn = async () => {
    const isHeartbeat =
      (blockedSince !== undefined || !source.isWaiting()) && !(await bell.heard(limits.heartbeat));
    if (over || blockedSince !== undefined) return;
    if (!(await source.fetch()) && !isHeartbeat) return;
    await verify();
    if (!over) write(source.frames());
  };
  const run = async () => {
    while (!over)
      // The database is away: rights are not known, so nothing is written until a later try.
      await turn().catch(() => bell.heard(limits.look));
  };

  return {
    open: (to) => {
      if (over) return void to.end();
      if (to.destroyed || !to.socket) return close();
      response = to;
      to.once("close", close).on("error", close);
      const retry = Math.round(shortestRetry + retrySpread * draw());
      write(`retry: ${retry}\n${source.opening()}`);
      void run();
    },
    check: () => {
      verify().then(bell.ring, () => {});
    },
    tick: (elapsed, now) => {
      const expiresAt = source.expiresAt?.();
      if (over || !response) return;
      if (blockedSince !== undefined && elapsed - blockedSince > limits.slow) {
        const { socket } = response;
        close();
        socket?.resetAndDestroy();
      } else if (expiresAt !== undefined && expiresAt <= now) verify().catch(() => {});
      else if (blockedSince === undefined && elapsed > endsAt)
        finish({ frame: source.endFrame("age") });
    },
    end: () => finish({ frame: source.endFrame("drain") }),
  };
}
