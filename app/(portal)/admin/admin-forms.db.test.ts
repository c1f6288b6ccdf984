import { describe, expect, test } from "vitest";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { formWorld } from "#server/testing/form-world";
import { mintApplication } from "#server/testing/oauth-world";
import { shareContext } from "#server/testing/plain-browser";
import { mintUser } from "#server/testing/world";
import { POST as postAdminAccount } from "./accounts/act/route";
import { POST as postAdminApplication } from "./applications/act/route";

const settings = { adminUserIds: [1001], adminSecondFactor: "waived" } as const;
const { ctx, simulator, browser, withKey } = await formWorld(settings);
const { clientId } = await mintApplication(ctx, await mintUser(ctx));
const reason = "Sold <b>data</b> & more.";

const signedIn = async (gameKey: string) => {
  const visitor = await withKey(gameKey);
  const csrf = await visitor.csrf();
  const send = async (target: (request: Request) => Promise<Response>, fields: Record<string, string>) => {
    const answer = await visitor.post(target, { csrf, ...fields });
    return [answer.status, answer.headers.get("location")];
  };
  return { visitor, send, accountId: (await visitor.user())?.accountId ?? "" };
};

describe("the forms of the admin pages", () => {
  test("suspend, resume, verify and take back, and lead back to the application", async () => {
    const { send } = await signedIn(simulator.demoKeys.developer);
    const at = `/admin/applications/${clientId}?done=`;
    const act = (name: string, fields = {}) =>
      send(postAdminApplication, { client_id: clientId, act: name, ...fields });
    expect(await act("suspend")).toEqual([303, `${at}no-reason`]);
    expect(await act("wreck", { reason })).toEqual([303, `${at}nothing`]);
    expect(await ctx.findClient(clientId)).toMatchObject({ suspended: false });
    expect(await act("suspend", { reason })).toEqual([303, `${at}suspended`]);
    expect(await ctx.findClient(clientId)).toMatchObject({ suspended: true });
    expect((await act("suspend", { reason }))[0]).toBe(400);
    expect(await act("resume")).toEqual([303, `${at}resumed`]);
    expect(await act("verify", { version: "1" })).toEqual([303, `${at}verified`]);
    for (const version of ["1", "", "x", "99999999999"])
      expect(await act("unverify", { version })).toEqual([303, `${at}outdated`]);
    expect(await act("unverify", { version: "2" })).toEqual([303, `${at}unverified`]);
  });

  test("do not exist for anybody else, and change nothing", async () => {
    const stranger = await signedIn(simulator.demoKeys.loner);
    for (const act of ["suspend", "verify"])
      expect((await stranger.send(postAdminApplication, { client_id: clientId, act, reason }))[0]).toBe(404);
    for (const act of ["ban", "unban"])
      expect((await stranger.send(postAdminAccount, { account_id: stranger.accountId, act, reason }))[0]).toBe(404);
    const nobody = browser();
    expect((await nobody.post(postAdminAccount, { account_id: stranger.accountId, act: "ban", reason })).status).toBe(
      404,
    );
    expect(await stranger.visitor.user()).not.toBeNull();
  });

  test("without the session's token are refused", async () => {
    const { visitor } = await signedIn(simulator.demoKeys.developer);
    const fields = { client_id: clientId, act: "suspend", reason };
    expect((await visitor.post(postAdminApplication, fields)).status).toBe(403);
    expect(await ctx.findClient(clientId)).toMatchObject({ suspended: false });
  });
});

test("PT-16: who is banned is out at once, and reads the reason as text at the next sign-in", async () => {
  const admin = await signedIn(simulator.demoKeys.developer);
  const { visitor, accountId } = await signedIn(simulator.demoKeys.outsider);
  const done = (word: string) => [303, `/admin/accounts/${accountId}?done=${word}`];
  expect(await admin.send(postAdminAccount, { account_id: accountId, act: "ban" })).toEqual(done("no-reason"));
  expect(await admin.send(postAdminAccount, { account_id: accountId, act: "ban", reason })).toEqual(done("banned"));
  expect(await visitor.user()).toBeNull();
  const refused = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.outsider });
  const page = await refused.text();
  expect(refused.status).toBe(403);
  expect(refused.headers.getSetCookie()).toEqual([]);
  expect(page).toContain("This account is banned from Adjutant");
  expect(page).toContain("Sold &#60;b&#62;data&#60;/b&#62; &#38; more.");
  expect(page).not.toContain("<b>");
  expect(await admin.send(postAdminAccount, { account_id: accountId, act: "unban" })).toEqual(done("unbanned"));
  await visitor.post(postSignInKey, { game_key: simulator.demoKeys.outsider });
  expect(await visitor.user()).toMatchObject({ accountId });
});

test("the forms lead an admin whose session has no second factor to the page that says what to set up", async () => {
  const { send } = await signedIn(simulator.demoKeys.developer);
  const stop = shareContext({ ...ctx, settings: { ...ctx.settings, adminSecondFactor: "required" } });
  const refused = await send(postAdminApplication, { client_id: clientId, act: "suspend", reason });
  stop();
  shareContext(ctx);
  expect(refused).toEqual([303, "/admin"]);
  expect(await ctx.findClient(clientId)).toMatchObject({ suspended: false });
});
