import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { PageHandler } from "./ask-pages";
import { disableHooksBetweenPages } from "./hooks-between-pages";

const { prototype } = AsyncLocalStorage;
const { run, enterWith } = prototype;
afterEach(() => void Object.assign(prototype, { run, enterWith }));

const pages: PageHandler = async () => {};

test.each(["20.20.2", "22.12.0"])(
  "on Node %s what a page entered is off when no page is under way",
  async (version) => {
    const storage = new AsyncLocalStorage<string>();
    const disabled = new EventEmitter();
    storage.disable = () => void disabled.emit("disabled");
    const entering = disableHooksBetweenPages(async () => storage.run("page", () => {}), version);
    const [first, second] = [new EventEmitter(), new EventEmitter()] as unknown as ServerResponse[];
    const request = {} as IncomingMessage;
    if (!first || !second) throw new Error("There are two.");
    await entering(request, first);
    await entering(request, second);
    first.emit("close");
    second.emit("close");
    await once(disabled, "disabled");
  },
);

test.each(["24.0.0", "24.21.0", "25.1.0"])(
  "on Node %s no global of the platform is touched",
  (version) => {
    expect(disableHooksBetweenPages(pages, version)).toBe(pages);
    expect(prototype).toMatchObject({ run, enterWith });
  },
);

test("what is touched is decided by the version that runs", () => {
  const touched = Number.parseInt(process.versions.node, 10) < 24;
  expect(disableHooksBetweenPages(pages) !== pages).toBe(touched);
  expect(prototype.run !== run).toBe(touched);
});
