import { describe, expect, test } from "vitest";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { safeNext } from "#server/auth/safe-next";
import { formWorld } from "#server/testing/form-world";
import { mintApplication } from "#server/testing/oauth-world";
import { at, shareContext } from "#server/testing/plain-browser";
import { mintUser } from "#server/testing/world";
import { POST as postAccount } from "./accounts/[accountId]/act/route";
import { POST as postApplication } from "./applications/[clientId]/act/route";
import { POST as postExport } from "./audit/export/route";

const settings = { adminUserIds: [1001], adminSecondFactor: "waived" } as const;
const { ctx, clock, simulator, browser, withKey } = await formWorld(settings);
const { clientId } = await mintApplication(ctx, await mintUser(ctx));
const reason = "Sold <b>data</b> & more.";
const toApplication = at(postApplication, { clientId });
const toAccount = (accountId: string) => at(postAccount, { accountId });

const signedIn = async (gameKey: string) => {
  const visitor = await withKey(gameKey);
  const csrf = await visitor.csrf();
  const send = async (
    target: (request: Request) => Promise<Response>,
    fields: Record<string, string>,
  ) => {
    const answer = await visitor.post(target, { csrf, ...fields });
    return [answer.status, answer.headers.get("location")];
  };
  return { visitor, send, accountId: (await visitor.user())?.accountId ?? "" };
};

describe("the forms of the admin pages", () => {
  test("suspend, resume, verify and take back, and lead back to the application", async () => {
    const { send } = await signedIn(simulator.demoKeys.developer);
    const done = `/admin/applications/${clientId}?done=`;
    const refused = `/admin/applications/${clientId}?error=`;
    const act = (name: string, fields = {}) => send(toApplication, { act: name, ...fields });
    expect(await act("suspend", { reason: " " })).toEqual([
      303,
      `${refused}no-reason&act=suspend&reason=+`,
    ]);
    expect(await act("wreck", { reason })).toEqual([303, `${done}wreck`]);
    expect(await ctx.tokens.findClient(clientId)).toMatchObject({ suspended: false });
    expect(await act("suspend", { reason })).toEqual([303, `${done}suspend`]);
    expect(await ctx.tokens.findClient(clientId)).toMatchObject({ suspended: true });
    expect((await act("suspend", { reason }))[0]).toBe(400);
    expect(await act("resume")).toEqual([303, `${done}resume`]);
    expect(await act("verify", { version: "1" })).toEqual([303, `${refused}no-reason&act=verify`]);
    expect(await act("verify", { version: "1", reason })).toEqual([303, `${done}verify`]);
    for (const version of ["1", "", "x"])
      expect((await act("unverify", { version, reason }))[1]).toContain(`${refused}outdated`);
    expect((await act("unverify", { version: "99999999999", reason }))[0]).toBe(400);
    expect(await act("unverify", { version: "2", reason })).toEqual([303, `${done}unverify`]);
  });

  test("save the events that fit the search, the oldest first, and say so in the log", async () => {
    const { visitor } = await signedIn(simulator.demoKeys.developer);
    const csrf = await visitor.csrf();
    const save = async (fields: Record<string, string>) => {
      const answer = await visitor.post(postExport, { csrf, ...fields });
      const text = await answer.text();
      return {
        answer,
        events:
          answer.status === 200
            ? text
                .split("\n")
                .filter(Boolean)
                .map((line) => JSON.parse(line))
            : [],
      };
    };
    const { answer, events } = await save({ days: "7", act: "application.suspended" });
    expect(answer.headers.get("content-disposition")).toBe(
      'attachment; filename="adjutant-audit.jsonl"',
    );
    expect(events.map(({ act, clientId: of }) => [act, of])).toEqual([
      ["application.suspended", clientId],
    ]);
    expect((await save({ days: "1" })).events.at(-1)).toMatchObject({ act: "audit_log.exported" });
    expect((await save({ days: "7", account: "4000001" })).events).toEqual([]);
    for (const days of ["", "0", "8", "-1", "x", "1e9"])
      expect((await save({ days })).answer.status).toBe(400);
    const stranger = await signedIn(simulator.demoKeys.loner);
    const refused = await stranger.visitor.post(postExport, {
      csrf: await stranger.visitor.csrf(),
      days: "7",
    });
    expect(refused.status).toBe(404);
  });

  test("do not exist for anybody else, and change nothing", async () => {
    const stranger = await signedIn(simulator.demoKeys.loner);
    for (const act of ["suspend", "verify"])
      expect((await stranger.send(toApplication, { act, reason }))[0]).toBe(404);
    for (const act of ["ban", "unban"])
      expect((await stranger.send(toAccount(stranger.accountId), { act, reason }))[0]).toBe(404);
    const nobody = browser();
    expect((await nobody.post(toAccount(stranger.accountId), { act: "ban", reason })).status).toBe(
      404,
    );
    expect(await stranger.visitor.user()).not.toBeNull();
  });
});

test("PT-16: who is banned is out at once, and reads the reason as text at the next sign-in", async () => {
  const admin = await signedIn(simulator.demoKeys.developer);
  const { visitor, accountId } = await signedIn(simulator.demoKeys.outsider);
  const done = (word: string) => [303, `/admin/accounts/${accountId}?done=${word}`];
  const act = (fields: Record<string, string>) => admin.send(toAccount(accountId), fields);
  const noReason = `/admin/accounts/${accountId}?error=no-reason&act=ban`;
  expect(await act({ act: "ban" })).toEqual([303, noReason]);
  expect(await act({ act: "ban", reason })).toEqual(done("ban"));
  expect(await visitor.user()).toBeNull();
  const refused = await visitor.post(postSignInKey, { game_key: simulator.demoKeys.outsider });
  const page = await refused.text();
  expect(refused.status).toBe(403);
  expect(refused.headers.getSetCookie()).toEqual([]);
  expect(page).toContain("This account is banned from Adjutant");
  expect(page).toContain("Sold &#60;b&#62;data&#60;/b&#62; &#38; more.");
  expect(page).not.toContain("<b>");
  expect(await act({ act: "unban" })).toEqual(done("unban"));
  await visitor.post(postSignInKey, { game_key: simulator.demoKeys.outsider });
  expect(await visitor.user()).toMatchObject({ accountId });
});

test("the forms lead an admin whose session has no second factor to the page that says what to set up", async () => {
  const { send } = await signedIn(simulator.demoKeys.developer);
  const stop = shareContext({
    ...ctx,
    settings: { ...ctx.settings, adminSecondFactor: "required" },
  });
  const refused = await send(toApplication, { act: "suspend", reason });
  stop();
  shareContext(ctx);
  expect(refused).toEqual([303, "/admin"]);
  expect(await ctx.tokens.findClient(clientId)).toMatchObject({ suspended: false });
});

test("an admin who has to confirm first comes back to the act with the reason that was typed", async () => {
  const { send, accountId } = await signedIn(simulator.demoKeys.developer);
  const longest = "\u4e00".repeat(300);
  const filledIn = (typed: string) =>
    `/admin/accounts/${accountId}?act=ban&reason=${encodeURIComponent(typed)}`;
  const nextOf = (address: unknown) =>
    safeNext(new URL(String(address), "http://portal.test").searchParams.get("next"));
  clock.advance(ctx.settings.lifetimes.confirmation);
  for (const typed of ["It sold data", longest]) {
    const [status, to] = await send(toAccount(accountId), { act: "ban", reason: typed });
    expect([status, to]).toEqual([303, expect.stringMatching(/^\/confirm\?/)]);
    expect(nextOf(to)).toBe(filledIn(typed).replaceAll("%20", "+"));
  }
});
