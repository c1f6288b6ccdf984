import { expect, test } from "vitest";
import { KeyInfo, Player } from "./user";

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

const none = { discord: null, faction: null };

test("a profile becomes a record in the product's own words, and unknown fields are dropped", () => {
  expect(Player.parse({ ...none, profile })).toEqual({
    playerId: 42,
    name: "Somebody",
    level: 17,
    factionId: 7001,
    signedUp: new Date(1_600_000_000_000),
    status: { description: "Okay", state: "Okay", until: null },
    lastAction: new Date(1_767_225_600_000),
    chatId: null,
    faction: null,
    battleStats: null,
    personalStats: null,
  });
});

test.each([null, 0])("a faction id of %s means none", (faction_id) => {
  expect(Player.parse({ ...none, profile: { ...profile, faction_id } }).factionId).toBeNull();
});

test("a state that the game adds later is kept as it is", () => {
  const changed = { ...profile, status: { ...status, state: "Dreaming", until: 1_767_225_601 } };
  expect(Player.parse({ ...none, profile: changed }).status).toEqual({
    description: "Okay",
    state: "Dreaming",
    until: new Date(1_767_225_601_000),
  });
});

test.each([
  ["a missing name", { name: undefined }, { name: "" }],
  ["an empty name", { name: "" }, { name: "" }],
  ["a level that is not told", { level: null }, { level: null }],
  ["no status", { status: null }, { status: { description: "", state: "", until: null } }],
  ["an empty list for a status", { status: [] }, { status: { state: "" } }],
  ["an empty list for the last action", { last_action: [] }, { lastAction: null }],
  ["no sign-up", { signed_up: null }, { signedUp: null }],
  ["an escaped name", { name: "A &amp; B&#039;s &amp;lt;" }, { name: "A & B's &lt;" }],
])("a profile with %s is read", (_, odd, read) => {
  expect(Player.parse({ ...none, profile: { ...profile, ...odd } })).toMatchObject(read);
});

test.each([
  ["an id as text", { ...profile, id: "42" }],
  ["a level that is no integer", { ...profile, level: 1.5 }],
  ["a text for a status", { ...profile, status: "Okay" }],
])("a profile with %s is refused", (_, wrong) => {
  expect(Player.safeParse({ ...none, profile: wrong }).success).toBe(false);
});

test("a chat id above 2^53 keeps every digit", () => {
  const discord = { user_id: 42, discord_id: "1134567890123456789" };
  expect(Player.parse({ ...none, profile, discord }).chatId).toBe(1134567890123456789n);
});

test.each(["", null, undefined])("a chat id of %j means that none is linked", (discord_id) => {
  const discord = { user_id: 42, discord_id };
  expect(Player.parse({ ...none, profile, discord }).chatId).toBeNull();
});

test.each(["12a", "-1", "007", "9223372036854775808", " 1"])(
  "the chat id %j is refused",
  (discord_id) => {
    const discord = { user_id: 42, discord_id };
    expect(Player.safeParse({ ...none, profile, discord }).success).toBe(false);
  },
);

const discord = { user_id: 42, discord_id: "1134567890123456789" };
const faction = {
  id: 7001,
  name: "F <b>1</b>",
  tag: "F1",
  tag_image: "",
  position: "Recruit",
  days_in_faction: 3,
};
const stat = (value: number) => ({
  value,
  modifier: 12,
  modifiers: [{ effect: "+12%", value: 12, type: "Faction" }],
});
const battlestats = {
  strength: stat(10),
  defense: stat(20),
  speed: stat(30),
  dexterity: stat(40),
  total: 100,
};

test("HTML in a name is text and nothing more", () => {
  expect(Player.parse({ profile, discord, faction }).faction).toEqual({
    factionId: 7001,
    name: "F <b>1</b>",
    position: "Recruit",
  });
});

test.each([
  ["discord", [], { chatId: null }],
  ["discord", null, { chatId: null }],
  ["faction", [], { faction: null }],
  ["faction", undefined, { faction: null }],
  ["faction", { ...faction, id: 0 }, { faction: null }],
  ["faction", { ...faction, position: null }, { faction: { factionId: 7001, position: null } }],
  ["faction", { ...faction, name: "F &amp; G" }, { faction: { name: "F & G" } }],
  ["personalstats", [], { personalStats: null }],
  ["personalstats", { drugs: [] }, { personalStats: { counters: { xanax: null } } }],
  ["battlestats", [], { battleStats: null }],
  ["battlestats", { ...battlestats, speed: null }, { battleStats: null }],
])("a record with %s as %j is read", (field, odd, read) => {
  const record = { profile, discord, faction, personalstats: {}, battlestats, [field]: odd };
  expect(Player.parse(record)).toMatchObject(read);
});

test("an own record tells stats beside the player, and null where the key may not read them", () => {
  const personalstats = { drugs: { xanax: 7 } };
  const own = Player.parse({ profile, discord, faction: null, battlestats, personalstats });
  expect(own).toMatchObject({
    playerId: 42,
    chatId: 1134567890123456789n,
    faction: null,
    battleStats: { strength: 10, defense: 20, speed: 30, dexterity: 40 },
    personalStats: { counters: { xanax: 7, elo: null } },
  });
  expect(Player.parse({ profile, discord, faction })).toMatchObject({
    battleStats: null,
    personalStats: null,
  });
});

test("an own record with a wrong stat is refused whole", () => {
  const wrong = { ...battlestats, speed: { value: "30" } };
  expect(Player.safeParse({ profile, discord, faction, battlestats: wrong }).success).toBe(false);
});

test("key info says whose key it is and what it may read", () => {
  const info = {
    selections: { user: ["profile"], faction: [], company: [], torn: ["items"] },
    user: { id: 42, faction_id: null, company_id: 3 },
    access: {
      level: 3,
      type: "Limited Access",
      faction: true,
      company: false,
      log: { available: [] },
    },
  };
  expect(KeyInfo.parse({ info })).toEqual({
    playerId: 42,
    factionId: null,
    level: 3,
    type: "Limited Access",
    factionApiAccess: true,
    selections: { user: ["profile"], faction: [], company: [], torn: ["items"] },
  });
  for (const selections of [{ ...info.selections, faction: null, torn: "none" }, [], null])
    expect(KeyInfo.parse({ info: { ...info, selections } }).playerId).toBe(42);
  const mapped = { ...info.selections, user: { 1: "profile", 3: "discord" }, torn: null };
  expect(KeyInfo.parse({ info: { ...info, selections: mapped } }).selections).toEqual({
    ...info.selections,
    user: ["profile", "discord"],
    torn: [],
  });
  const wrong = { ...info, access: { ...info.access, level: 5 } };
  expect(KeyInfo.safeParse({ info: wrong }).success).toBe(false);
});
