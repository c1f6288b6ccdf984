import type { ServerResponse } from "node:http";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import { createSlots } from "#server/platform/slots";

/** Seconds. */
export interface PageRefusal {
  readonly status: 429 | 503;
  readonly retryAfter: number;
  readonly why?: string;
}

/** Not yet taken by the browser, up to half a megabyte each. */
export const pageLimits = {
  /** An office or mobile network shares one address. */
  ofAddress: 48,
  inAll: 300,
  /** Each blocks the event loop for some ten milliseconds. */
  rendered: 4,
  /** Milliseconds: then it waits for I/O. */
  longestRendering: 1_000,
};

const soon = 2;

/**
 * A page yields its place when it is rendered, when its reader is slow, or after a second.
 * @returns undefined at the page's turn
 */
export function pageAdmission(ctx: Context, limits = pageLimits) {
  const slots = createSlots();
  let rendered = 0;
  const waiting: (() => void)[] = [];

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else rendered -= 1;
  }

  async function turnToRender(response: ServerResponse): Promise<void> {
    if (rendered < limits.rendered) rendered += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    if (response.closed) return leave();
    let left = false;
    const leaveOnce = () => {
      if (left) return;
      left = true;
      clearTimeout(timer);
      leave();
    };
    const timer = setTimeout(leaveOnce, limits.longestRendering);
    response.once("prefinish", leaveOnce).once("close", leaveOnce);
    const write = response.write.bind(response) as typeof response.write;
    response.write = ((...args: Parameters<typeof write>) => {
      const more = write(...args);
      if (!more) leaveOnce();
      return more;
    }) as typeof write;
  }

  return async (
    response: ServerResponse,
    address: string | null,
  ): Promise<PageRefusal | undefined> => {
    const subject = networkOf(address);
    const leaveSlot = slots.take(subject, { each: limits.ofAddress, all: limits.inAll });
    if (typeof leaveSlot === "string") return { status: 503, retryAfter: soon };
    response.once("close", leaveSlot);
    const limit = await ctx.limiter.take({
      policy: "pages",
      subject,
      limit: ctx.settings.rates.pages,
    });
    if (!limit.allowed) return { status: 429, retryAfter: limit.reset };
    await turnToRender(response);
    return undefined;
  };
}
