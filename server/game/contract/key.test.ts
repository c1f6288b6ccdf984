import { expect, test } from "vitest";
import { KeyInfo } from "./key";

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
