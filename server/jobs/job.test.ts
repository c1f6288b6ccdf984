import { expect, test } from "vitest";
import { type Cadence, dueSlots, newestSlot } from "./job";

const at = (text: string) => new Date(`2026-03-01T${text}Z`);

test.each<{ cadence: Cadence; now: string; slot: string }>([
  { cadence: { everySeconds: 60 }, now: "12:00:59.999", slot: "12:00:00" },
  { cadence: { everySeconds: 60 }, now: "12:01:00.000", slot: "12:01:00" },
  { cadence: { everySeconds: 600 }, now: "12:19:59.000", slot: "12:10:00" },
  { cadence: { cron: "5 * * * * *" }, now: "12:00:05.000", slot: "12:00:05" },
  { cadence: { cron: "5 * * * * *" }, now: "12:00:04.999", slot: "11:59:05" },
  { cadence: { cron: "20 0 * * *" }, now: "12:00:00.000", slot: "00:20:00" },
])("the newest slot of $cadence at $now is $slot", ({ cadence, now, slot }) => {
  expect(newestSlot(cadence, at(now))).toEqual(at(slot));
});

test("slots are given newest first", () => {
  expect(dueSlots({ everySeconds: 60 }, at("12:00:30"), 3)).toEqual([
    at("12:00:00"),
    at("11:59:00"),
    at("11:58:00"),
  ]);
  expect(dueSlots({ cron: "0 * * * *" }, at("12:30:00"), 2)).toEqual([
    at("12:00:00"),
    at("11:00:00"),
  ]);
});

test("a slot stays the same however late it is looked at", () => {
  const slots = ["12:00:00.000", "12:00:17.123", "12:00:59.999"].map((now) =>
    newestSlot({ everySeconds: 60 }, at(now)),
  );
  expect(new Set(slots.map((slot) => slot?.getTime())).size).toBe(1);
});
