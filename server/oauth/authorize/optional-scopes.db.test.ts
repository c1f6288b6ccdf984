import { and, desc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { consents } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import type { PortalUser } from "#server/actor";
import type { ScopeName } from "#server/scopes";
import { testDatabase } from "#server/testing/database";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintVisitor,
  postToken,
  redemption,
  refresh,
  requestIdOf,
  type TestApplication,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { updateApplication } from "../clients/application-acts";
import type { TokenReply } from "../grants/authorization-code";
import { decideRequest } from "./decide-request";
import { showRequest } from "./show-request";

type Approval = Partial<Parameters<typeof decideRequest>[2]>;

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const scopes: ScopeName[] = ["identity", "faction:banking", "service_key:usage"];
const optionalScopes: ScopeName[] = ["faction:banking", "service_key:usage"];
const conf = await mintApplication(ctx, owner, { scopes, optionalScopes });
const pub = await mintApplication(ctx, owner, {
  kind: "public",
  redirectUris: [],
  scopes,
  optionalScopes,
});

async function arrive() {
  clock.advance(60);
  return mintVisitor(ctx);
}

type Visitor = Awaited<ReturnType<typeof arrive>>;

const ask = async (
  { user, browser }: Visitor,
  app: TestApplication,
  scope: string,
  prompt = "consent",
) => {
  const response = await browser.authorize(authorizationQuery(app, { scope, prompt }));
  return { requestId: requestIdOf(response), browserId: browser.browserId, user };
};

async function approve(
  asked: Awaited<ReturnType<typeof ask>>,
  app: TestApplication,
  approval: Approval = {},
) {
  const { location } = await decideRequest(ctx, asked.user, {
    ...asked,
    decision: "approve",
    ...approval,
  });
  const code = new URL(location).searchParams.get("code") ?? "";
  const response = await postToken(ctx, app, redemption(app, code));
  return (await response.json()) as TokenReply;
}

const consentOf = async (user: PortalUser) => {
  const [row] = await ctx.database.query
    .select()
    .from(consents)
    .where(eq(consents.accountId, user.accountId));
  return [...(row?.scopes ?? [])].sort();
};
const all = scopes.join(" ");

describe("an optional scope", () => {
  test("is shown as such, and what is unticked is in neither consent, code nor tokens (TK-35)", async () => {
    const visitor = await arrive();
    const asked = await ask(visitor, conf, all);
    expect((await showRequest(ctx, asked.user, asked)).optional).toEqual(optionalScopes);
    const tokens = await approve(asked, conf, { ticked: ["service_key:usage"] });
    expect(tokens.scope).toBe("identity service_key:usage");
    expect(await consentOf(visitor.user)).toEqual(["identity", "service_key:usage"]);
    expect((await ctx.tokens.authenticate(tokens.access_token))?.actor.scopes).toEqual([
      "identity",
      "service_key:usage",
    ]);

    const [event] = await ctx.database.query
      .select({ act: auditLog.act, details: auditLog.details })
      .from(auditLog)
      .where(
        and(eq(auditLog.accountId, visitor.user.accountId), eq(auditLog.act, "consent.approved")),
      )
      .orderBy(desc(auditLog.id))
      .limit(1);
    expect(event).toMatchObject({
      details: { left: ["faction:banking"] },
    });
  });

  test("that was left out stays out of what a refresh gives, and cannot be asked back by one (RF-12)", async () => {
    const tokens = await approve(await ask(await arrive(), conf, all), conf, { ticked: [] });
    expect(tokens.scope).toBe("identity");
    const wider = await refresh(ctx, conf, tokens.refresh_token ?? "", { scope: all });
    expect([wider.status, (await wider.json()).error]).toEqual([400, "invalid_scope"]);
    const next = await refresh(ctx, conf, tokens.refresh_token ?? "");
    expect((await next.json()).scope).toBe("identity");
  });

  test("may be left out of a public application too", async () => {
    const tokens = await approve(await ask(await arrive(), pub, all), pub, {
      ticked: ["faction:banking"],
    });
    expect(tokens.scope).toBe("identity faction:banking");
  });

  test("that is left out when all is asked again is lost on the other devices as well", async () => {
    const visitor = await arrive();
    const first = await approve(await ask(visitor, conf, all), conf, { ticked: optionalScopes });
    expect(first.scope).toBe(all);
    await approve(await ask(visitor, conf, "identity faction:banking"), conf, { ticked: [] });
    expect(await consentOf(visitor.user)).toEqual(["identity", "service_key:usage"]);
    expect((await ctx.tokens.authenticate(first.access_token))?.actor.scopes).toEqual([
      "identity",
      "service_key:usage",
    ]);
  });
});

describe("a part of everything about the faction", () => {
  const wide = () =>
    mintApplication(ctx, owner, { scopes: ["identity", "faction"], optionalScopes: ["faction"] });
  const rest = ["faction:attacks", "faction:crimes"];

  test("that is left out is lost where everything was allowed before, and new again when it is asked again", async () => {
    const [app, visitor] = [await wide(), await arrive()];
    const first = await approve(await ask(visitor, app, "identity faction"), app, {
      ticked: ["faction"],
    });
    const without = await approve(await ask(visitor, app, "identity faction:banking"), app, {
      ticked: [],
    });
    expect(without.scope).toBe("identity");
    expect(await consentOf(visitor.user)).toEqual([...rest, "identity"]);
    expect((await ctx.tokens.authenticate(first.access_token))?.actor.scopes).not.toContain(
      "faction",
    );
    const silently = async (scope: string) => {
      const response = await visitor.browser.authorize(
        authorizationQuery(app, { scope, prompt: "none" }),
      );
      return new URL(response.headers.get("location") ?? "").searchParams.get("error");
    };
    expect(await silently("identity faction:banking")).toBe("consent_required");
    expect(await silently("faction")).toBe("consent_required");
    expect(await silently("faction:crimes faction:attacks")).toBeNull();
  });

  test("that is left out beside everything is not covered by it", async () => {
    const named: ScopeName[] = ["faction", "faction:banking"];
    const app = await mintApplication(ctx, owner, {
      scopes: ["identity", ...named],
      optionalScopes: named,
    });
    const visitor = await arrive();
    const asked = await ask(visitor, app, ["identity", ...named].join(" "));
    const tokens = await approve(asked, app, { ticked: ["faction"] });
    expect(tokens.scope).toBe(["identity", ...rest].join(" "));
    expect(await consentOf(visitor.user)).toEqual([...rest, "identity"]);
  });

  test("that is left out together with everything leaves nothing of it", async () => {
    const [app, visitor] = [await wide(), await arrive()];
    await approve(await ask(visitor, app, "identity faction"), app, { ticked: ["faction"] });
    await approve(await ask(visitor, app, "identity faction faction:banking"), app, { ticked: [] });
    expect(await consentOf(visitor.user)).toEqual(["identity"]);
  });
});

describe("AZ-40: a tampered answer", () => {
  test("cannot take away a needed scope, nor add one that was not asked", async () => {
    const visitor = await arrive();
    const ticked = ["service_key:usage", "faction", "nonsense"];
    const tokens = await approve(await ask(visitor, conf, "identity faction:banking"), conf, {
      ticked,
    });
    expect(tokens.scope).toBe("identity");
    expect(await consentOf(visitor.user)).toEqual(["identity"]);
  });

  test("cannot turn a needed scope into an optional one", async () => {
    const shown = { allowed: [], optional: ["identity"] };
    const asked = await ask(await arrive(), conf, "identity");
    await expect(approve(asked, conf, { ticked: [], shown })).rejects.toMatchObject({
      reason: "REQUEST_CHANGED",
    });
    expect((await approve(asked, conf)).scope).toBe("identity");
  });
});

test("a scope that became needed while its box stood unticked is asked again, not taken", async () => {
  const app = await mintApplication(ctx, owner, { scopes, optionalScopes });
  const asked = await ask(await arrive(), app, "identity faction:banking");
  const shown = { allowed: [], optional: (await showRequest(ctx, asked.user, asked)).optional };
  await updateApplication(ctx, owner, {
    ...applicationInput({ scopes }),
    clientId: app.clientId,
    version: 1,
  });
  await expect(approve(asked, app, { ticked: [], shown })).rejects.toMatchObject({
    reason: "REQUEST_CHANGED",
  });
  expect((await showRequest(ctx, asked.user, asked)).optional).toEqual([]);
});
