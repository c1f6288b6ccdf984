import { expect, test } from "vitest";
import {
  allocateRequests,
  type DueEndpoint,
  type HeldEndpoint,
  sharedConcurrency,
} from "./claim-store";

const plenty = { fast: 100, slow: 50 };
const due = (endpointId: string, of: Partial<DueEndpoint> = {}): DueEndpoint => ({
  ...{ endpointId, clientId: endpointId, host: endpointId, slow: false, alone: false, waiting: 9 },
  ...of,
});
const many = (count: number, of: Partial<DueEndpoint> = {}) =>
  Array.from({ length: count }, (_, n) => due(`e${n + 1}`, of));
const held = (of: Partial<HeldEndpoint> = {}): HeldEndpoint => ({
  ...{ endpointId: "held", clientId: "held", host: "held", slow: false, requests: 1, ...of },
});
const sum = (chosen: ReadonlyMap<string, number>) =>
  [...chosen.values()].reduce((all, requests) => all + requests, 0);

test("a process takes no more than it has places, and each application gets one before another gets two", () => {
  expect(Object.fromEntries(allocateRequests([], many(6), { fast: 8, slow: 0 }))).toEqual({
    ...{ e1: 2, e2: 2, e3: 1, e4: 1, e5: 1, e6: 1 },
  });
});

test("an endpoint has two requests at once, an application four and a host eight, in whichever process", () => {
  expect(allocateRequests([], [due("e1")], plenty)).toEqual(
    new Map([["e1", sharedConcurrency.endpoint]]),
  );
  const ofApp = allocateRequests([held({ clientId: "app" })], many(3, { clientId: "app" }), plenty);
  expect([...ofApp.values()]).toEqual([1, 1, 1]);
  const atHost = allocateRequests(
    [held({ host: "h", requests: sharedConcurrency.endpoint })],
    many(9, { host: "h" }),
    plenty,
  );
  expect(sum(atHost)).toBe(sharedConcurrency.host - sharedConcurrency.endpoint);
});

test("slow endpoints leave half of their application's and their host's requests to the others", () => {
  const of = { clientId: "app", host: "h" };
  const all = [due("s1", { ...of, slow: true }), due("s2", { ...of, slow: true }), due("e1", of)];
  expect(Object.fromEntries(allocateRequests([], all, plenty))).toEqual({ s1: 1, s2: 1, e1: 2 });
  const atHost = allocateRequests([], many(9, { host: "h", slow: true }), plenty);
  expect(sum(atHost)).toBe(sharedConcurrency.slowHost);
});

test("slow endpoints have places of their own, and take none of the others'", () => {
  const slow = [1, 2, 3].map((n) => due(`s${n}`, { slow: true }));
  expect(
    Object.fromEntries(allocateRequests([], [...slow, ...many(2)], { fast: 3, slow: 2 })),
  ).toEqual({ s1: 1, s2: 1, e1: 2, e2: 1 });
});

test("an endpoint that rests, or asked to be sent less, gets one at a time, and so does one with a single delivery", () => {
  expect(sum(allocateRequests([], [due("e1", { alone: true })], plenty))).toBe(1);
  expect(sum(allocateRequests([], [due("e1", { waiting: 1 })], plenty))).toBe(1);
});
