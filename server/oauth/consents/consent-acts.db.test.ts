import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import { GrantPaused, InsufficientPermissions, UnknownElement } from "#server/failures";
import { apiPrefix } from "#server/machine-path";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import type { ScopeName } from "#server/scopes";
import { testDatabase } from "#server/testing/database";
import {
  basic,
  formRequest,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { issueDeveloperToken } from "../authorize/own-token";
import type { TokenReply } from "../grants/authorization-code";
import { answerIntrospection } from "../http";
import {
  changeExpiry,
  narrowConsent,
  pauseConsent,
  restoreScopes,
  resumeConsent,
  revokeConsents,
} from "./consent-acts";
import { listConsents } from "./list-consents";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner, {
  scopes: ["identity", "faction", "service_key:usage"],
});
const dispatch = compileDispatch(routes, { prefix: apiPrefix });
const peer = { address: testSource.address };

/** The application on two devices. */
async function connected(scopes: ScopeName[] = ["identity", "faction"]) {
  clock.advance(60);
  const user = await mintUser(ctx);
  const phone = await mintTokens(ctx, app, { user, scopes });
  const desk = await mintTokens(ctx, app, { user, scopes });
  const [consent] = await listConsents(ctx, user);
  if (!consent) throw new Error("The consent was not stored.");
  return { user, phone, desk, consentId: consent.consentId };
}

/** @returns status and failure code of `GET /user` */
async function call({ access_token }: TokenReply): Promise<[number, unknown]> {
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await dispatch(
    ctx,
    new Request(`http://any.host${apiPrefix}/user`, { headers }),
    peer,
  );
  return [response.status, response.status === 200 ? null : (await response.json()).code];
}

const introspect = async (token: string) => {
  const request = formRequest("introspect", { token }, { authorization: basic(app) });
  return (await answerIntrospection(ctx, request, peer)).json();
};
const refreshed = async (tokens: TokenReply, fields: Record<string, string> = {}) => {
  const response = await refresh(ctx, app, tokens.refresh_token ?? "", fields);
  return { status: response.status, ...(await response.json()) };
};
const actsOf = async (user: PortalUser) => {
  const rows = await ctx.database.query
    .select()
    .from(auditLog)
    .where(eq(auditLog.accountId, user.accountId))
    .orderBy(auditLog.id);
  return rows.filter(({ act }) => act.startsWith("consent."));
};
const gone = { kind: { code: UnknownElement.code } };

describe("a pause", () => {
  test("refuses calls with 4008, refreshes with invalid_grant, and introspection says inactive, on all devices", async () => {
    const { user, phone, desk, consentId } = await connected();
    await pauseConsent(ctx, user, { consentId });
    for (const tokens of [phone, desk]) {
      expect(await call(tokens)).toEqual([403, GrantPaused.code]);
      expect(await refreshed(tokens)).toMatchObject({ status: 400, error: "invalid_grant" });
      expect(await introspect(tokens.access_token)).toEqual({ active: false });
      expect(await introspect(tokens.refresh_token ?? "")).toEqual({ active: false });
    }
    expect(await listConsents(ctx, user)).toMatchObject([{ paused: true }]);
  });

  test("burns nothing: after it the same access and refresh tokens go on", async () => {
    const { user, phone, consentId } = await connected();
    await pauseConsent(ctx, user, { consentId });
    expect((await refreshed(phone)).status).toBe(400);
    await resumeConsent(ctx, user, { consentId });
    expect(await call(phone)).toEqual([200, null]);
    expect(await introspect(phone.access_token)).toMatchObject({ active: true });
    const next = await refreshed(phone);
    expect(next).toMatchObject({ status: 200, scope: "identity faction" });
    expect(await call(next)).toEqual([200, null]);
  });

  test("outlasts the reuse window: the reply to a refresh before it is given again after it, inside the window", async () => {
    const { user, phone, consentId } = await connected();
    const first = await refreshed(phone);
    await pauseConsent(ctx, user, { consentId });
    expect(await refreshed(phone)).toMatchObject({ status: 400, error: "invalid_grant" });
    await resumeConsent(ctx, user, { consentId });
    expect(await refreshed(phone)).toEqual(first);
  });

  test("holds a code back without burning it", async () => {
    const { user, consentId } = await connected();
    const code = await mintCode(ctx, app, { user });
    await pauseConsent(ctx, user, { consentId });
    expect((await postToken(ctx, app, redemption(app, code))).status).toBe(400);
    await resumeConsent(ctx, user, { consentId });
    expect((await postToken(ctx, app, redemption(app, code))).status).toBe(200);
  });

  test("is in the audit log with who, where and the request, once for each change", async () => {
    const { user, consentId } = await connected();
    for (const act of [pauseConsent, pauseConsent, resumeConsent, resumeConsent])
      await act(ctx, user, { consentId });
    const before = ["consent.shown", "consent.approved"];
    const events = (await actsOf(user)).filter(({ act }) => !before.includes(act));
    const common = {
      actor: `account:${user.accountId}`,
      clientId: app.clientId,
      requestId: "test",
      address: "192.0.2.1",
    };
    expect(events).toMatchObject([
      { ...common, act: "consent.paused", details: { consentId } },
      { ...common, act: "consent.resumed", details: { consentId } },
    ]);
  });
});

describe("narrowing", () => {
  test("RF-15: takes a scope from tokens of all devices at once, and a refresh gives the narrowed set", async () => {
    const { user, phone, desk, consentId } = await connected();
    await narrowConsent(ctx, user, {
      consentId,
      shown: ["identity", "faction"],
      keep: ["faction"],
    });
    for (const tokens of [phone, desk]) {
      expect(await call(tokens)).toEqual([403, InsufficientPermissions.code]);
      expect(await introspect(tokens.access_token)).toMatchObject({
        active: true,
        scope: "faction",
      });
      const next = await refreshed(tokens);
      expect(next).toMatchObject({ status: 200, scope: "faction" });
      expect((await ctx.tokens.authenticate(next.access_token))?.actor.scopes).toEqual(["faction"]);
    }
    expect(await listConsents(ctx, user)).toMatchObject([{ scopes: [{ name: "faction" }] }]);
  });

  test("RF-11 RF-15: a client that always sends its old scope is answered with what is left of it", async () => {
    const { user, phone, consentId } = await connected();
    await narrowConsent(ctx, user, {
      consentId,
      shown: ["identity", "faction"],
      keep: ["identity"],
    });
    expect(await refreshed(phone, { scope: "identity faction" })).toMatchObject({
      status: 200,
      scope: "identity",
    });
  });

  test("RF-15: takes a part away where everything was allowed besides: what remains has its own names, for tokens too", async () => {
    const { user, phone, consentId } = await connected(["identity", "faction", "faction:banking"]);
    const shown = ["identity", "faction", "faction:banking"];
    await narrowConsent(ctx, user, { consentId, shown, keep: ["identity", "faction"] });
    const [consent] = await listConsents(ctx, user);
    const rest = ["identity", "faction:attacks", "faction:crimes"];
    expect(consent?.scopes.map(({ name }) => name)).toEqual(rest);
    expect(await ctx.tokens.authenticate(phone.access_token)).toMatchObject({
      actor: { scopes: rest },
    });
    expect(await refreshed(phone)).toMatchObject({ status: 200, scope: rest.join(" ") });
  });

  test("RF-15: reaches a code that was not redeemed yet", async () => {
    const { user, consentId } = await connected();
    const code = await mintCode(ctx, app, { user, scope: "identity faction" });
    await narrowConsent(ctx, user, {
      consentId,
      shown: ["identity", "faction"],
      keep: ["identity"],
    });
    expect((await (await postToken(ctx, app, redemption(app, code))).json()).scope).toBe(
      "identity",
    );
  });

  test("never widens, whatever is named to be kept", async () => {
    const { user, consentId } = await connected(["identity"]);
    const keep = ["identity", "faction", "service_key:usage", "nonsense"];
    await narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep });
    expect(await listConsents(ctx, user)).toMatchObject([{ scopes: [{ name: "identity" }] }]);
    expect((await actsOf(user)).map(({ act }) => act)).not.toContain("consent.narrowed");
  });

  test("to nothing leaves what needs no permission, and is in the audit log with what was lost", async () => {
    const { user, phone, consentId } = await connected();
    await narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep: [] });
    expect((await ctx.tokens.authenticate(phone.access_token))?.actor.scopes).toEqual([]);
    expect(await refreshed(phone)).toMatchObject({ status: 200, scope: "" });
    const event = (await actsOf(user)).find(({ act }) => act === "consent.narrowed");
    expect(event).toMatchObject({
      actor: `account:${user.accountId}`,
      requestId: "test",
      address: "192.0.2.1",
      details: { consentId, scopes: { from: ["identity", "faction"], to: [] } },
    });
  });
});

describe("giving back", () => {
  const shown = ["identity", "faction"];

  test("opens a scope that was taken away again, for the tokens that hold it", async () => {
    const { user, phone, consentId } = await connected();
    await narrowConsent(ctx, user, { consentId, shown, keep: ["identity"] });
    expect(await listConsents(ctx, user)).toMatchObject([{ takenAway: [{ name: "faction" }] }]);
    await restoreScopes(ctx, user, { consentId, scopes: ["faction"] });
    expect((await ctx.tokens.authenticate(phone.access_token))?.actor.scopes).toEqual(shown);
    expect(await refreshed(phone)).toMatchObject({ status: 200, scope: "identity faction" });
    expect(await listConsents(ctx, user)).toMatchObject([{ takenAway: [] }]);
    const event = (await actsOf(user)).find(({ act }) => act === "consent.restored");
    expect(event).toMatchObject({
      details: { consentId, scopes: { from: ["identity"], to: shown } },
    });
  });

  test("never widens beyond what was once approved, in this consent", async () => {
    const { user, consentId } = await connected(["identity"]);
    const scopes = ["identity", "faction", "service_key:usage", "nonsense"];
    await restoreScopes(ctx, user, { consentId, scopes });
    expect(await listConsents(ctx, user)).toMatchObject([
      { scopes: [{ name: "identity" }], takenAway: [] },
    ]);
    const again = await connected();
    await revokeConsents(ctx, again.user, { consentIds: [again.consentId] });
    await mintTokens(ctx, app, { user: again.user, scopes: ["identity"] });
    const [consent] = await listConsents(ctx, again.user);
    const given = { consentId: consent?.consentId ?? "", scopes: ["faction"] };
    await restoreScopes(ctx, again.user, given);
    expect(await listConsents(ctx, again.user)).toMatchObject([{ scopes: [{ name: "identity" }] }]);
  });
});

describe("a changed expiry", () => {
  const confirmed = (user: PortalUser): PortalUser => ({ ...user, confirmedAt: ctx.now() });

  test("ends access earlier, or keeps it past the end that was chosen first", async () => {
    const { user, phone, consentId } = await connected();
    await changeExpiry(ctx, user, { consentId, until: "day" });
    await changeExpiry(ctx, confirmed(user), { consentId, until: "month" });
    clock.advance(86_400 + 60);
    const next = await refreshed(phone);
    expect(next.status).toBe(200);
    await changeExpiry(ctx, confirmed(user), { consentId, until: "day" });
    clock.advance(86_400 + 60);
    expect((await refresh(ctx, app, next.refresh_token)).status).toBe(400);
    expect(await listConsents(ctx, user)).toEqual([]);
    const extended = (await actsOf(user)).filter(({ act }) => act === "consent.extended");
    expect(extended.map(({ details }) => details.until)).toEqual(["day", "month", "day"]);
  });

  test("that is later also keeps the refresh tokens that were issued under the earlier one", async () => {
    const { user, phone, consentId } = await connected();
    await changeExpiry(ctx, user, { consentId, until: "day" });
    const next = await refreshed(phone);
    await changeExpiry(ctx, confirmed(user), { consentId, until: "month" });
    clock.advance(86_400 + 60);
    expect((await refreshed(next)).status).toBe(200);
  });

  test("that is later also keeps a public application's access token, for the life of such a token", async () => {
    clock.advance(60);
    const user = await mintUser(ctx);
    const { clientId } = await mintApplication(ctx, user, { kind: "public", scopes: ["identity"] });
    await issueDeveloperToken(ctx, user, { clientId });
    const [consent] = await listConsents(ctx, user);
    const consentId = consent?.consentId ?? "";
    await changeExpiry(ctx, user, { consentId, until: "day" });
    clock.advance(20 * 3_600);
    const own = await issueDeveloperToken(ctx, user, { clientId });
    expect(own.expiresInSeconds).toBe(4 * 3_600);
    await changeExpiry(ctx, confirmed(user), { consentId, until: "month" });
    const statusOf = async () => (await ctx.tokens.authenticate(own.accessToken))?.status;
    clock.advance(23 * 3_600);
    expect(await statusOf()).toBe("active");
    clock.advance(2 * 3_600);
    expect(await statusOf()).toBeUndefined();
  });

  test("that is chosen with a new approval also applies to the devices that were approved before", async () => {
    const { user, phone, consentId } = await connected();
    await changeExpiry(ctx, user, { consentId, until: "day" });
    const next = await refreshed(phone);
    await mintTokens(ctx, app, { user, scopes: ["identity", "faction"] });
    clock.advance(86_400 + 60);
    expect((await refreshed(next)).status).toBe(200);
  });

  test("that is later ends nothing, also where the longest life of a grant was shortened", async () => {
    const { user, phone, consentId } = await connected();
    clock.advance(120);
    const lifetimes = { ...ctx.settings.lifetimes, refreshMax: 60, refreshIdle: 60 };
    const shorter = { ...ctx, settings: { ...ctx.settings, lifetimes } };
    await changeExpiry(shorter, user, { consentId, until: "month" });
    expect((await refreshed(phone)).status).toBe(200);
  });

  test("wants a confirmation where it allows more", async () => {
    const { user, consentId } = await connected();
    const unconfirmed = { ...user, confirmedAt: null };
    await changeExpiry(ctx, unconfirmed, { consentId, until: "day" });
    for (const until of ["month", "revoked"] as const)
      await expect(changeExpiry(ctx, unconfirmed, { consentId, until })).rejects.toMatchObject({
        reason: "CONFIRMATION_WANTED",
      });
  });
});

test("several are revoked at once, and those of others stay", async () => {
  const [one, other] = [await connected(), await connected()];
  const second = await mintApplication(ctx, owner, { scopes: ["identity"] });
  const tokens = await mintTokens(ctx, second, { user: one.user, scopes: ["identity"] });
  const ids = (await listConsents(ctx, one.user)).map(({ consentId }) => consentId);
  expect(ids).toHaveLength(2);
  await revokeConsents(ctx, one.user, { consentIds: [...ids, other.consentId, "nonsense"] });
  for (const ended of [one.phone, one.desk, tokens])
    expect(await call(ended)).toEqual([401, expect.any(Number)]);
  expect(await call(other.phone)).toEqual([200, null]);
});

test("ID-09: another player's application, an ended one and one that never was cannot be acted on, all alike", async () => {
  const { user, phone, consentId } = await connected();
  const acts: ((who: PortalUser, id: string) => Promise<void>)[] = [
    (who, id) => pauseConsent(ctx, who, { consentId: id }),
    (who, id) => resumeConsent(ctx, who, { consentId: id }),
    (who, id) => narrowConsent(ctx, who, { consentId: id, shown: ["identity"], keep: [] }),
  ];
  for (const id of [consentId, ctx.ids.uuid(), "nonsense"])
    for (const act of acts) await expect(act(owner, id)).rejects.toMatchObject(gone);
  expect(await call(phone)).toEqual([200, null]);
  await revokeConsents(ctx, user, { consentIds: [consentId] });
  for (const act of acts) await expect(act(user, consentId)).rejects.toMatchObject(gone);
});
