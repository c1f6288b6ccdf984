import { AsyncLocalStorage } from "node:async_hooks";
import type { PageHandler } from "./create-front";

/**
 * Next replaces `Date` while it gets ready, to see which prerendered pages read the clock; only caching of parts of pages, which we
 * do not use, asks for that. The replacement makes every date cost several times as much, and each API call makes some ten.
 * @returns puts the platform's own `Date` back in its place
 */
export function keepNativeDate(): () => void {
  const { Date: native } = globalThis;
  return () => {
    globalThis.Date = native;
    // It names the replacement otherwise.
    Object.defineProperty(native.prototype, "constructor", { value: native, writable: true, configurable: true });
  };
}

/** Milliseconds without a page under way, after which nothing of the last one is still to come. */
const quietTime = 250;

/**
 * On Node 20 and 22 an `AsyncLocalStorage` that was used once keeps promise hooks on for the life of the process, which
 * nearly doubles the cost of every API call. Only pages use such storage (ours is passed as arguments), so it is switched
 * off whenever no page is under way; the next page's `run` switches it on again. From Node 24 on there are no such hooks.
 */
export function disableHooksBetweenPages(pages: PageHandler): PageHandler {
  const used = rememberUse();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  const calm = () => {
    for (const storage of used) storage.disable();
    used.clear();
  };
  return async (request, response) => {
    clearTimeout(timer);
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
      if (underWay > 0) return;
      clearTimeout(timer);
      timer = setTimeout(calm, quietTime).unref();
    });
    await pages(request, response);
  };
}

/** The storages that were entered since the set was last emptied. */
function rememberUse(): Set<AsyncLocalStorage<unknown>> {
  const used = new Set<AsyncLocalStorage<unknown>>();
  const { prototype } = AsyncLocalStorage;
  const { run, enterWith } = prototype;
  prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: Parameters<typeof run>) {
    used.add(this);
    return run.apply(this, args);
  } as typeof run;
  prototype.enterWith = function (this: AsyncLocalStorage<unknown>, store: unknown) {
    used.add(this);
    enterWith.call(this, store);
  };
  return used;
}
