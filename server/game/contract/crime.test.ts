import { expect, test } from "vitest";
import { FactionCrimes, FactionCrimesWithMembers } from "./crime";

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

test("a crime tells its slots, who is in them and what they lack", () => {
  expect(FactionCrimes.parse({ crimes: [crime] })).toEqual([
    {
      crimeId: 1_567_682,
      name: "Tin Can Alley",
      difficulty: 7,
      status: "Planning",
      createdAt: new Date(1_767_000_000_000),
      planningAt: new Date(1_767_100_000_000),
      readyAt: new Date(1_767_300_000_000),
      expiredAt: new Date(1_767_400_000_000),
      executedAt: null,
      slots: [
        {
          slot: "P2",
          position: "Lookout",
          positionNumber: 1,
          itemRequired: { itemId: 568, available: false },
          member: { playerId: 42, joinedAt: new Date(1_767_225_600_000), progress: 33.3 },
          passRate: 71,
        },
        { slot: "P2", position: "Lookout", positionNumber: 1, itemRequired: null, member: null, passRate: 71 },
      ],
    },
  ]);
});

test("a status that the game adds later is kept as it is", () => {
  expect(FactionCrimes.parse({ crimes: [{ ...crime, status: "Napping" }] })?.[0]?.status).toBe("Napping");
});

test("a map instead of a list is a faction on the old crimes", () => {
  expect(FactionCrimes.parse({ crimes: { 8123: { crime_id: 3, participants: [] } } })).toBeNull();
  expect(FactionCrimes.parse({ crimes: {} })).toBeNull();
  expect(FactionCrimes.parse({ crimes: [] })).toEqual([]);
});

test.each([
  ["a pass rate above 100", { slots: [{ ...slot, checkpoint_pass_rate: 101 }] }],
  ["a slot without a place", { slots: [{ ...slot, position_info: null }] }],
  ["no slots", { slots: undefined }],
  ["a difficulty as text", { difficulty: "7" }],
])("a crime with %s refuses the answer", (_, wrong) => {
  expect(FactionCrimes.safeParse({ crimes: [{ ...crime, ...wrong }] }).success).toBe(false);
});

test("crimes and members of one answer stay together", () => {
  const answer = FactionCrimesWithMembers.parse({ crimes: [crime], members: [], basic: { id: 7001, name: "F" } });
  expect(answer).toMatchObject({ factionId: 7001, members: [], crimes: [{ crimeId: 1_567_682 }] });
  expect(FactionCrimesWithMembers.safeParse({ crimes: [crime], basic: { id: 7001 } }).success).toBe(false);
});
