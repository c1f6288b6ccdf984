import { AsyncLocalStorage } from "node:async_hooks";
import type { PageHandler } from "./ask-pages";

/** The first release of Node in which an `AsyncLocalStorage` needs no promise hooks. There nothing is changed. */
const firstWithoutHooks = 24;
const needsPatch = (nodeVersion: string): boolean =>
  Number.parseInt(nodeVersion, 10) < firstWithoutHooks;

/** Milliseconds without a page under way, after which nothing of the last one is still to come. */
const idleTime = 250;

/**
 * On Node 20 and 22 an `AsyncLocalStorage` that was used once keeps promise hooks on for the life of the process, which costs
 * every API call a tenth of its processor time. Only pages use such storage (ours is passed as arguments), so it is switched
 * off whenever no page is under way; the next page's `run` switches it on again.
 */
export function disableHooksBetweenPages(
  pages: PageHandler,
  nodeVersion = process.versions.node,
): PageHandler {
  if (!needsPatch(nodeVersion)) return pages;
  const used = rememberUse();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  const disableAll = () => {
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
      timer = setTimeout(disableAll, idleTime).unref();
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
