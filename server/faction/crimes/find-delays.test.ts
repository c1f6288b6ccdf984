import { expect, test } from "vitest";
import type { Crime } from "#server/game/contract/faction";
import { detectDelays } from "./refresh-crimes";

const now = new Date("2026-03-01T12:00:00Z");
const slot = (number: number, playerId: number | null): Crime["slots"][number] => ({
  slot: `P${number}`,
  position: "Lookout",
  positionIndex: number,
  playerId,
});
const crime = (fields: Partial<Crime> = {}): Crime => ({
  crimeId: 50,
  name: "Harbour Lights",
  status: "Planning",
  readyAt: new Date(now.getTime() - 1_000),
  slots: [slot(1, 11), slot(2, 12), slot(3, null)],
  ...fields,
});
const at = (playerId: number, state: string, description = state) => ({
  playerId,
  status: { state, description },
});
const okay = at(11, "Okay");
const away = at(12, "Traveling", "Traveling to the Far Isles");

test("who is not free when the crime is ready holds it up, for the reason that the game gives", () => {
  expect(detectDelays([crime()], [okay, away], now)).toEqual([
    {
      crimeId: 50,
      slot: "P2",
      playerId: 12,
      position: "Lookout",
      positionIndex: 2,
      reason: "Traveling to the Far Isles",
    },
  ]);
});

test.each<[string, Partial<Crime>]>([
  ["is ready a second from now", { readyAt: new Date(now.getTime() + 1_000) }],
  ["has no time yet", { readyAt: null }],
  ["still recruits", { status: "Recruiting" }],
  ["was carried out", { status: "Successful" }],
  ["has a status that nobody knows", { status: "Postponed" }],
])("nobody holds up a crime that %s", (_, fields) => {
  expect(detectDelays([crime(fields)], [okay, away], now)).toEqual([]);
});

test.each(["Hospital", "Jail", "Abroad", "Federal", "Fallen", "Dormant"])(
  "%s is not free",
  (state) => {
    expect(detectDelays([crime()], [okay, at(12, state)], now)).toHaveLength(1);
  },
);

test("a participant who is absent from the listing does not spoil it for the others (game 7.56)", () => {
  expect(detectDelays([crime({ slots: [slot(1, 99), slot(2, 12)] })], [away], now)).toMatchObject([
    { playerId: 12 },
  ]);
});
