import { describe, expect, test } from "vitest";
import { POST as postConfirmation } from "#app/confirm/proof/route";
import { exportAccount } from "#server/account/account-acts";
import type { PortalUser } from "#server/actor";
import { listOwnHistory } from "#server/audit/read-events";
import { formWorld } from "#server/testing/form-world";
import { showSwitches } from "#server/users/account-switches";
import { listGameKeys } from "#server/users/keys/own-keys";
import { POST as postDeleteAccount } from "./delete/confirm/route";
import { POST as postExport } from "./export/route";
import { POST as postRemoveKey } from "./keys/remove/route";
import { POST as postSwitch } from "./switches/route";

const { ctx, clock, simulator, withKey } = await formWorld();

const signedIn = async (gameKey = simulator.demoKeys.member) => {
  const visitor = await withKey(gameKey);
  const user = await visitor.user();
  if (!user) throw new Error("The player was not signed in.");
  return { visitor, user, csrf: await visitor.csrf() };
};
const actsOf = async (user: PortalUser) =>
  (await listOwnHistory(ctx, user, undefined)).events.map(({ act }) => act);

describe("deleting the account (PT-22)", () => {
  test("takes the player's name, signs out, and leads to a page that says so", async () => {
    const { visitor, user, csrf } = await signedIn();
    const wrong = await visitor.post(postDeleteAccount, { csrf, confirm_name: "somebody" });
    expect(wrong.headers.get("location")).toBe("/account/delete?error=name");
    expect(await visitor.user()).toEqual(user);
    const response = await visitor.post(postDeleteAccount, { csrf, confirm_name: "Cleo_Marsh" });
    expect(response.headers.get("location")).toBe("/account-deleted");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^adjutant_session=; .*Max-Age=0/),
    ]);
    expect((await signedIn()).user.accountId).not.toBe(user.accountId);
  });

  test("with an old session asks for a confirmation first (PT-15)", async () => {
    const { visitor, user, csrf } = await signedIn();
    clock.advance(7_200);
    const response = await visitor.post(postDeleteAccount, { csrf, confirm_name: "Cleo_Marsh" });
    expect(response.headers.get("location")).toBe("/confirm?next=%2Faccount%2Fdelete");
    expect(await visitor.user()).toEqual(user);
  });
});

describe("the export", () => {
  test("is a file that nothing keeps, and is audited", async () => {
    const { visitor, user, csrf } = await signedIn();
    const response = await visitor.post(postExport, { csrf });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="adjutant-account.json"',
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      account: { id: user.accountId },
      player: { name: "Cleo_Marsh" },
    });
    expect(await actsOf(user)).toContain("account.exported");
  });
});

describe("game keys", () => {
  test("are lent and no longer lent by a switch, and each change is audited once", async () => {
    const { visitor, user, csrf } = await signedIn();
    const lent = async () => (await showSwitches(ctx, user)).includes("lendsKey");
    expect(await lent()).toBe(false);
    const lend = (on: string) => visitor.post(postSwitch, { csrf, switch: "lendsKey", on });
    expect((await lend("yes")).headers.get("location")).toBe("/account");
    for (const on of ["yes", "maybe"]) await lend(on);
    expect(await lent()).toBe(true);
    await lend("no");
    expect(await lent()).toBe(false);
    expect((await actsOf(user)).filter((act) => act === "key_lending.changed")).toHaveLength(2);
  });

  test("and no other column can be switched by a form or a call", async () => {
    const { visitor, user, csrf } = await signedIn();
    const before = await exportAccount(ctx, user);
    for (const name of ["bannedAt", "playerId", "__proto__", "toString", ""]) {
      expect((await visitor.post(postSwitch, { csrf, switch: name, on: "yes" })).status).toBe(400);
      expect(
        (
          await visitor.post(postSwitch, [
            ["csrf", csrf],
            ["switch", name],
            ["switch", "lendsKey"],
            ["on", "yes"],
          ])
        ).status,
      ).toBe(400);
    }
    const after = await exportAccount(ctx, user);
    expect(JSON.parse(after.json).account).toEqual(JSON.parse(before.json).account);
  });

  test("are removed one by one, and with an old session only after a confirmation (PT-15)", async () => {
    const { visitor, user, csrf } = await signedIn(simulator.demoKeys.loner);
    const [key] = await listGameKeys(ctx, user);
    const removal = { csrf, key_id: key?.id ?? "" };
    clock.advance(7_200);
    const stale = await visitor.post(postRemoveKey, removal);
    expect(stale.headers.get("location")).toBe("/confirm?next=%2Faccount");
    expect(await listGameKeys(ctx, user)).toHaveLength(1);

    const proof = { csrf, next: "/account", game_key: simulator.demoKeys.loner };
    expect((await visitor.post(postConfirmation, proof)).headers.get("location")).toBe("/account");
    const response = await visitor.post(postRemoveKey, removal);
    expect(response.headers.get("location")).toBe("/account");
    expect(await listGameKeys(ctx, user)).toEqual([]);
    expect(await actsOf(user)).toContain("game_key.removed");
  });

  test("of another account cannot be removed", async () => {
    const owner = await signedIn(simulator.demoKeys.banker);
    const [key] = await listGameKeys(ctx, owner.user);
    const { visitor, csrf } = await signedIn(simulator.demoKeys.outsider);
    await visitor.post(postRemoveKey, { csrf, key_id: key?.id ?? "" });
    expect(await listGameKeys(ctx, owner.user)).toHaveLength(1);
  });
});
