import type { ServerResponse } from "node:http";
import type { Context } from "../context";
import type { StreamOpener } from "../rest/endpoint";
import type { Bell } from "../work/wake-loop";
import type { Subscriber } from "./feed";

interface LastFrame {
  readonly frame: string;
  /** True to reset the connection, which discards buffered frames. */
  readonly cutOff?: boolean;
}

interface SseSource {
  isWaiting(): boolean;
  /** The returned function gives an empty text if the data may no longer be sent. */
  fetch(): Promise<(() => string) | undefined>;
  heartbeat(): string;
  /** Checked before each write. @returns the last frame, or undefined while the rights hold */
  ending(): Promise<LastFrame | undefined>;
  opening(): string;
  endFrame(reason: "age" | "drain"): string;
  expiresAt?(): Date | undefined;
}

interface SseStream extends Pick<Subscriber, "check" | "tick" | "end"> {
  readonly open: StreamOpener;
}

const shortestRetry = 2_000;
const retrySpread = 6_000;
/** Milliseconds to deliver the last frame before a reset. */
const lastFrame = 5_000;
const lastFrameOfCutOff = 150;

/** @param on.bell rung by the source when data is available @param on.close called once */
export function createSseStream(
  {
    ids,
    events: {
      feed: { limits },
    },
  }: Pick<Context, "ids" | "events">,
  source: SseSource,
  on: { readonly bell: Bell; readonly close: () => void },
): SseStream {
  const { bell } = on;
  let response: ServerResponse | undefined;
  let blockedSince: number | undefined;
  let over = false;
  const draw = () => (ids.bytes(1)[0] ?? 0) / 256;
  // Jitter, so that streams do not reconnect together.
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
    const fetched = await source.fetch();
    if (!fetched && !isHeartbeat) return;
    await verify();
    if (!over) write(fetched ? fetched() : source.heartbeat());
  };
  const run = async () => {
    while (!over)
      // Without the database rights are unknown, so nothing is written.
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
