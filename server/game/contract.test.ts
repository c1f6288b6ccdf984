import { expect, test } from "vitest";
import { FactionBasic, FactionMembers, KeyInfo, OrganizedCrimeTypes, UserDiscord, UserProfile } from "./contract";

const status = { description: "Okay", details: null, state: "Okay", color: "green", until: null };
const lastAction = { status: "Offline", timestamp: 1_767_225_600, relative: "1 day ago" };
const profile = {
  id: 42,
  name: "Somebody",
  level: 17,
  rank: "Regular",
  faction_id: 7001,
  role: "Civilian",
  signed_up: 1_600_000_000,
  status,
  last_action: lastAction,
  life: { current: 5, maximum: 10 },
};

test("a profile becomes a record in the product's own words, and unknown fields are dropped", () => {
  expect(UserProfile.parse({ profile })).toEqual({
    playerId: 42,
    name: "Somebody",
    level: 17,
    factionId: 7001,
    role: "Civilian",
    signedUp: new Date(1_600_000_000_000),
    status: { description: "Okay", state: "Okay", until: null },
    lastAction: { status: "Offline", at: new Date(1_767_225_600_000) },
  });
});

test.each([null, 0])("a faction id of %s means none", (faction_id) => {
  expect(UserProfile.parse({ profile: { ...profile, faction_id } }).factionId).toBeNull();
});

test("a state that the game adds later is kept as it is", () => {
  const changed = { ...profile, status: { ...status, state: "Dreaming", until: 1_767_225_601 } };
  expect(UserProfile.parse({ profile: changed }).status).toEqual({
    description: "Okay",
    state: "Dreaming",
    until: new Date(1_767_225_601_000),
  });
});

test.each([
  ["a missing name", { ...profile, name: undefined }],
  ["an empty name", { ...profile, name: "" }],
  ["an id as text", { ...profile, id: "42" }],
  ["a level that is no integer", { ...profile, level: 1.5 }],
  ["no status", { ...profile, status: null }],
])("a profile with %s is refused", (_, wrong) => {
  expect(UserProfile.safeParse({ profile: wrong }).success).toBe(false);
});

test("a chat id above 2^53 keeps every digit", () => {
  const answer = { discord: { user_id: 42, discord_id: "1134567890123456789" } };
  expect(UserDiscord.parse(answer)).toEqual({ playerId: 42, chatId: 1134567890123456789n });
});

test("an empty chat id means that none is linked", () => {
  expect(UserDiscord.parse({ discord: { user_id: 42, discord_id: "" } }).chatId).toBeNull();
});

test.each(["12a", "-1", "007", "9223372036854775808", " 1"])("the chat id %j is refused", (discord_id) => {
  expect(UserDiscord.safeParse({ discord: { user_id: 42, discord_id } }).success).toBe(false);
});

test("key info says whose key it is and what it may read", () => {
  const info = {
    selections: { user: ["profile"], faction: [], company: [], torn: ["items"] },
    user: { id: 42, faction_id: null, company_id: 3 },
    access: { level: 3, type: "Limited Access", faction: true, company: false, log: { available: [] } },
  };
  expect(KeyInfo.parse({ info })).toEqual({
    playerId: 42,
    factionId: null,
    level: 3,
    type: "Limited Access",
    factionApiAccess: true,
    selections: { user: ["profile"], faction: [], company: [], torn: ["items"] },
  });
  const wrong = { ...info, access: { ...info.access, level: 5 } };
  expect(KeyInfo.safeParse({ info: wrong }).success).toBe(false);
});

test("a faction without leaders has none, not the player 0", () => {
  const basic = { id: 7001, name: "F", tag: "", leader_id: 0, co_leader_id: 0, members: 1, capacity: 5, respect: 0 };
  expect(FactionBasic.parse({ basic })).toMatchObject({ factionId: 7001, leaderId: null, coLeaderId: null });
});

test("one wrong member row refuses the whole list: half a list would look like people leaving", () => {
  const row = {
    id: 42,
    name: "Somebody",
    position: "Recruit",
    level: 3,
    days_in_faction: 0,
    is_in_oc: false,
    last_action: { ...lastAction, timestamp: 0 },
    status,
  };
  expect(FactionMembers.parse({ members: [row] })).toEqual([
    {
      playerId: 42,
      name: "Somebody",
      position: "Recruit",
      level: 3,
      daysInFaction: 0,
      inOrganizedCrime: false,
      lastAction: { status: "Offline", at: null },
      status: { description: "Okay", state: "Okay", until: null },
    },
  ]);
  expect(FactionMembers.safeParse({ members: [row, { ...row, id: 0 }] }).success).toBe(false);
});

test("a crime type lists the roles of its slots in order", () => {
  const slots = [{ name: "Lookout", required_item: null }, { name: "Driver" }];
  const organizedcrimes = [{ name: "A", description: "", difficulty: 2, slots, prerequisite: null }];
  expect(OrganizedCrimeTypes.parse({ organizedcrimes })).toEqual([
    { name: "A", description: "", difficulty: 2, slots: ["Lookout", "Driver"] },
  ]);
});
