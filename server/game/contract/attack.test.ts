import { expect, test } from "vitest";
import { Attacks } from "./attack";

const row = {
  id: 900_000_001,
  code: "0123456789abcdef0123456789abcdef",
  started: 1_767_225_600,
  ended: 1_767_225_640,
  attacker: { id: 1, name: "<i>One</i>", level: 50, faction: { id: 7001, name: "Seven & Co" } },
  defender: { id: 2, name: "Two", level: 60, faction: null },
  result: "Hospitalized",
  respect_gain: 4.37,
  respect_loss: 0,
  chain: 12,
  is_interrupted: false,
  is_stealthed: false,
  is_raid: false,
  is_ranked_war: true,
  is_territory_war: false,
  finishing_hit_effects: [{ name: "Bleed", value: 3 }],
  modifiers: {
    fair_fight: 2.61,
    war: 2,
    retaliation: 1,
    group: 1,
    overseas: 1.25,
    chain: 1.1,
    warlord: 1,
  },
};

test("an attack becomes a record in the product's own words, and unknown fields are dropped", () => {
  expect(Attacks.parse({ attacks: [row], _metadata: { links: { next: null } } })).toEqual([
    {
      code: "0123456789abcdef0123456789abcdef",
      started: new Date(1_767_225_600_000),
      ended: new Date(1_767_225_640_000),
      attacker: {
        playerId: 1,
        name: "<i>One</i>",
        level: 50,
        faction: { factionId: 7001, name: "Seven & Co" },
      },
      defender: { playerId: 2, name: "Two", level: 60, faction: null },
      result: "Hospitalized",
      respectGain: 4.37,
      modifiers: { fairFight: 2.61, war: 2, retaliation: 1, overseas: 1.25 },
    },
  ]);
});

test("a stealthed attack has no attacker, and a result that the game adds later is kept as it is", () => {
  const [attack] = Attacks.parse({ attacks: [{ ...row, attacker: null, result: "Tickled" }] });
  expect(attack).toMatchObject({ attacker: null, result: "Tickled" });
});

test("a faction without a number is none", () => {
  const defender = { ...row.defender, faction: { id: 0, name: "" } };
  expect(Attacks.parse({ attacks: [{ ...row, defender }] })[0]?.defender.faction).toBeNull();
});

test("a fight that goes on has no end yet, whether the game writes null or 0", () => {
  const attacks = [null, 0].map((ended) => ({ ...row, ended, result: "None" }));
  expect(Attacks.parse({ attacks }).map(({ ended }) => ended)).toEqual([null, null]);
});

test.each([
  ["a level that is not told", { level: null }, { level: null }],
  ["no name", { name: "" }, { name: "" }],
  [
    "a faction without a name",
    { faction: { id: 7, name: null } },
    { faction: { factionId: 7, name: "" } },
  ],
])("a fighter with %s is read", (_, odd, read) => {
  expect(
    Attacks.parse({ attacks: [{ ...row, attacker: { ...row.attacker, ...odd } }] })[0]?.attacker,
  ).toMatchObject(read);
});

test.each([
  ["no defender", { defender: null }],
  ["an end as text", { ended: "1767225640" }],
  ["fair fight as text", { modifiers: { ...row.modifiers, fair_fight: "2.61" } }],
  ["no modifiers", { modifiers: undefined }],
  [
    "a player's id beyond what a number holds",
    { defender: { ...row.defender, id: 9007199254740993n } },
  ],
])("a row with %s is left out and counted, and the others are read", (_, wrong) => {
  const attacks = Attacks.parse({ attacks: [row, { ...row, ...wrong }, row] });
  expect(attacks).toHaveLength(2);
  expect(attacks.unreadable?.rows).toBe(1);
});
