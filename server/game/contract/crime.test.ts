import { expect, test } from "vitest";
import { FactionCrimes, FactionCrimesWithMembers } from "./faction";

const slot = {
  position: "Lookout",
  position_info: { id: "P2", label: "Lookout #1", number: 1 },
  item_requirement: { id: 568, is_reusable: true, is_available: false },
  user: { id: 42, joined_at: 1_767_225_600, progress: 33.3, outcome: null, item_outcome: null },
  checkpoint_pass_rate: 71,
};
const free = { ...slot, item_requirement: null, user: null };
const crime = {
  id: 1_567_682,
  previous_crime_id: null,
  name: "Tin Can Alley",
  difficulty: 7,
  status: "Planning",
  created_at: 1_767_000_000,
  planning_at: 1_767_100_000,
  ready_at: 1_767_300_000,
  expired_at: 1_767_400_000,
  executed_at: null,
  slots: [slot, free],
  rewards: null,
};

const basic = { id: 7001, name: "F" };
const read = (...crimes: unknown[]) => FactionCrimes.parse({ crimes, basic }).crimes;
const slotsOf = (...slots: unknown[]) => read({ ...crime, slots })?.[0]?.slots;

test("a crime tells its slots and who is in them", () => {
  expect(read(crime)).toEqual([
    {
      crimeId: 1_567_682,
      name: "Tin Can Alley",
      status: "Planning",
      readyAt: new Date(1_767_300_000_000),
      slots: [
        { slot: "P2", position: "Lookout", positionIndex: 1, playerId: 42 },
        { slot: "P2", position: "Lookout", positionIndex: 1, playerId: null },
      ],
    },
  ]);
});

test("a status that the game adds later is kept as it is", () => {
  expect(read({ ...crime, status: "Napping" })?.[0]?.status).toBe("Napping");
});

test("a map instead of a list is a faction on the old crimes", () => {
  expect(
    FactionCrimes.parse({ crimes: { 8123: { crime_id: 3, participants: [] } }, basic }).crimes,
  ).toBeNull();
  expect(FactionCrimes.parse({ crimes: {}, basic }).crimes).toBeNull();
  expect(read()).toEqual([]);
});

test.each([
  ["the number, where the game still tells it", { id: "P3", label: "Muscle", number: 2 }, "P3", 2],
  ["the label's number", { id: "P3", label: "Muscle #2" }, "P3", 2],
  ["1 for a label without a number", { id: "P3", label: "Muscle" }, "P3", 1],
  ["1 where the label is gone too", { id: "P3", label: null, number: null }, "P3", 1],
  ["the slot's place, where nothing is told", null, "P1", 1],
])("which slot of its role it is comes from %s", (_, position_info, place, number) => {
  expect(slotsOf({ ...slot, position_info })).toMatchObject([
    { slot: place, positionIndex: number },
  ]);
});

test("a slot without a role has that of its label", () => {
  expect(
    slotsOf({ ...slot, position: null, position_info: { id: "P2", label: "Car Thief #2" } }),
  ).toMatchObject([{ position: "Car Thief", positionIndex: 2 }]);
});

test.each([
  ["somebody without an id in a slot", { slots: [{ ...slot, user: {} }] }],
  ["no slots", { slots: undefined }],
  ["a name as a number", { name: 7 }],
])("a crime with %s is left out and counted, and the others are read", (_, wrong) => {
  const crimes = read(crime, { ...crime, ...wrong }, crime);
  expect(crimes).toHaveLength(2);
  expect(crimes?.unreadable?.rows).toBe(1);
});

test("crimes and members of one answer stay together", () => {
  const answer = FactionCrimesWithMembers.parse({ crimes: [crime], members: [], basic });
  expect(answer).toMatchObject({ factionId: 7001, members: [], crimes: [{ crimeId: 1_567_682 }] });
  expect(FactionCrimesWithMembers.safeParse({ crimes: [crime], basic }).success).toBe(false);
});
