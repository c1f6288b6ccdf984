import { describe, expect, test } from "vitest";
import type { PortalUser } from "#server/actor";
import { showScoreSharing } from "#server/faction/scores";
import { formWorld } from "#server/testing/form-world";
import { showSwitches } from "#server/users/account-switches";
import { POST as postSwitch } from "../../account/switches/route";
import { POST as postStatImport } from "./import/route";
import { POST as postStatSharing } from "./sharing/route";

const { ctx, simulator, withKey } = await formWorld();

const signedIn = async (gameKey: string) => {
  const visitor = await withKey(gameKey);
  const user = await visitor.user();
  if (!user) throw new Error("The player was not signed in.");
  return { visitor, user, csrf: await visitor.csrf() };
};
const holder = () => signedIn(simulator.demoKeys.developer);
const head = "id,strength,defense,speed,dexterity,timestamp";

/** Scores that only the faction sees, after the sign-in's reads. */
const kept = async (user: PortalUser) => {
  await ctx.settled();
  return (await showScoreSharing(ctx, user))?.own.players;
};

describe("the import of a stat site's export", () => {
  test("goes back to the page with what was taken", async () => {
    const { visitor, user, csrf } = await holder();
    const before = (await kept(user)) ?? 0;
    const text = `${head}\r\n1005,100,200,300,400,1767225600\r\n1004,1,2,3,4,1767225600`;
    const response = await visitor.post(postStatImport, { csrf, text });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(
      "/faction/stats?done=imported&imported=2&known=0",
    );
    expect(await kept(user)).toBe(before + 2);
  });

  test("names the lines that are wrong, and takes nothing", async () => {
    const { visitor, user, csrf } = await holder();
    const before = await kept(user);
    const text = `${head}\n1003,1,2,3,4,1767225600\n1002,1,<b>,3,4,1767225600`;
    const response = await visitor.post(postStatImport, { csrf, text });
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain("Line 3: defense must be a whole number.");
    expect(page).not.toContain("<b>");
    expect(await kept(user)).toBe(before);
  });

  test("of nobody with a right to it is refused in words", async () => {
    const { visitor, csrf } = await signedIn(simulator.demoKeys.member);
    const response = await visitor.post(postStatImport, {
      csrf,
      text: `${head}\n1,1,1,1,1,1767225600`,
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain("Only leaders, and members with faction API access");
  });
});

test("who sees the faction's fights is changed by a form, and an unknown choice changes nothing", async () => {
  const { visitor, user, csrf } = await holder();
  const response = await visitor.post(postStatSharing, { csrf, sharing: "faction" });
  expect(response.headers.get("location")).toBe("/faction/stats?done=faction");
  expect(await showScoreSharing(ctx, user)).toMatchObject({ sharing: "faction" });
  await visitor.post(postStatSharing, { csrf, sharing: "aliens" });
  expect(await showScoreSharing(ctx, user)).toMatchObject({ sharing: "faction" });
});

test("a player's own fights are shared by a form, off at first", async () => {
  const { visitor, user, csrf } = await holder();
  const shared = async () => (await showSwitches(ctx, user)).includes("sharesOpponentStats");
  const share = (on: string) =>
    visitor.post(postSwitch, { csrf, switch: "sharesOpponentStats", on });
  expect(await shared()).toBe(false);
  expect((await share("yes")).headers.get("location")).toBe("/account");
  expect(await shared()).toBe(true);
  await share("maybe");
  expect(await shared()).toBe(true);
  await share("no");
  expect(await shared()).toBe(false);
});
