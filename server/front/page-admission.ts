import type { ServerResponse } from "node:http";
import type { Context } from "#server/context";
import { networkOf } from "#server/platform/peer-address";
import { createSemaphore, createSlots } from "#server/platform/slots";

export interface PageRefusal {
  readonly status: 429 | 503;
  /** Seconds. */
  readonly retryAfter: number;
  readonly why?: string;
}

/** Pages that browsers have not taken yet, up to half a megabyte each. */
export const pageLimits = {
  /** An office or mobile network shares one address. */
  ofAddress: 48,
  inAll: 300,
  /** Each rendering blocks the event loop for about ten milliseconds. */
  rendered: 4,
  /** Milliseconds; a longer rendering is waiting for I/O. */
  longestRendering: 1_000,
};

const soon = 2;

export function createPageAdmission(ctx: Context, limits = pageLimits) {
  const slots = createSlots();
  const rendering = createSemaphore(limits.rendered);

  async function turnToRender(response: ServerResponse): Promise<void> {
    const end = await rendering.acquire();
    if (response.closed) return end();
    setTimeout(end, limits.longestRendering).unref();
    response.once("prefinish", end).once("close", end);
    const write = response.write.bind(response) as typeof response.write;
    response.write = ((...args: Parameters<typeof write>) => {
      const more = write(...args);
      if (!more) end();
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
