import { expect, test } from "vitest";
import { type Context, perProcess } from "./context";

const processOf = () => ({ memory: new Map() }) as unknown as Context;

test("what a module remembers is one for a process, whichever copy of the module asks, and another for the next process", () => {
  const inTheServer = perProcess("readings", () => new Map<number, string>());
  const inThePages = perProcess("readings", () => new Map<number, string>());
  const [one, other] = [processOf(), processOf()];
  inTheServer(one).set(1, "read");
  expect(inThePages(one).get(1)).toBe("read");
  expect(inThePages({ ...one }).get(1)).toBe("read");
  expect(inTheServer(other).size).toBe(0);
});
