import { describe, expect, test } from "vitest";
import { POST as postConfirmation } from "#app/confirm/proof/route";
import { POST as postKey } from "#app/sign-in/key/route";
import { POST as postSignOut } from "#app/sign-out/route";
import type { ScopeName } from "#server/scopes";
import { formWorld } from "#server/testing/form-world";
import {
  authorizationQuery,
  mintApplication,
  postToken,
  redemption,
  requestIdOf,
} from "#server/testing/oauth-world";
import { at } from "#server/testing/plain-browser";
import { mintUser } from "#server/testing/world";
import { POST as postDecision } from "./route";

const { ctx, clock, simulator, withKey } = await formWorld();
const developer = await mintUser(ctx);

describe("the consent form", () => {
  const asked = async () => {
    const app = await mintApplication(ctx, developer);
    const visitor = await withKey();
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const decide = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      visitor.post(at(postDecision, { requestId }), fields, headers);
    return { visitor, requestId, decide, csrf: await visitor.csrf() };
  };

  test("after a sign-in in another tab the refusal leads back to the request, which is still open", async () => {
    const { visitor, decide, csrf, requestId } = await asked();
    const again = await visitor.post(postKey, { game_key: simulator.demoKeys.member });
    expect(again.status).toBe(303);
    const refused = await decide({ decision: "approve", csrf });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`<a href="/consent/${requestId}"`);
    const decided = await decide({ decision: "approve", csrf: await visitor.csrf() });
    expect(decided.headers.get("location")).toContain("code=");
  });

  test("can deny (AZ-34)", async () => {
    const { decide, csrf } = await asked();
    const location = (await decide({ decision: "deny", csrf })).headers.get("location");
    expect(location).toContain("error=access_denied");
  });

  test("takes only what was asked, whatever else the form carries (AZ-40)", async () => {
    const { decide, csrf } = await asked();
    const forged = {
      client_id: "x",
      redirect_uri: "https://evil.test",
      scope: "faction",
      state: "forged",
    };
    const location = new URL(
      (await decide({ decision: "approve", csrf, ...forged })).headers.get("location") ?? "",
    );
    expect(location.origin).toBe("https://client.test");
    expect(location.searchParams.get("state")).toBe("xyz");
  });

  test("decides the request of its address, whichever other one its fields name", async () => {
    const [one, other] = [await asked(), await asked()];
    const fields = { decision: "deny", csrf: one.csrf, requestId: other.requestId };
    expect((await one.decide(fields)).headers.get("location")).toContain("error=access_denied");
    const still = await other.decide({ decision: "approve", csrf: other.csrf });
    expect(still.headers.get("location")).toContain("code=");
  });

  test("decides once: the same answer leads to the same address, another to a page that says so (AZ-41)", async () => {
    const { decide, csrf, requestId } = await asked();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => decide({ decision: "approve", csrf })),
    );
    const locations = new Set(answers.map((answer) => answer.headers.get("location") ?? ""));
    expect([...locations]).toEqual([expect.stringContaining("code=")]);
    const other = await decide({ decision: "deny", csrf });
    expect(other.headers.get("location")).toBe(`/consent/${requestId}`);
    clock.advance(31);
    const late = await decide({ decision: "approve", csrf });
    expect(late.headers.get("location")).toBe(`/consent/${requestId}`);
  });

  test("redirects a browser to the client, and keeps no trace of the code", async () => {
    const { decide, csrf } = await asked();
    const response = await decide({ decision: "approve", csrf }, { accept: "text/html,*/*" });
    expect([response.status, await response.text()]).toEqual([303, ""]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: expect.stringMatching(
        /^https:\/\/client\.test\/cb\?code=adj_ac_\w+&state=xyz&iss=/,
      ),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
  });

  test("with neither approve nor deny asks again", async () => {
    const { decide, csrf, requestId } = await asked();
    const undecided: Record<string, string>[] = [
      {},
      { decision: "maybe" },
      { decision: "approve", until: "ever" },
    ];
    for (const fields of undecided)
      expect((await decide({ csrf, ...fields })).headers.get("location")).toBe(
        `/consent/${requestId}`,
      );
    expect((await decide({ csrf, decision: "approve" })).headers.get("location")).toContain(
      "code=",
    );
  });

  test("after a sign-out leads to the sign-in, with the request (AZ-42)", async () => {
    const { visitor, decide, csrf, requestId } = await asked();
    await visitor.post(postSignOut, { csrf });
    const response = await decide({ decision: "approve", csrf });
    expect(response.headers.get("location")).toBe(`/sign-in?request=${requestId}`);
  });

  test("wants a confirmation from an old session for the first sensitive permission, and leads back afterwards", async () => {
    const visitor = await withKey();
    clock.advance(7_200);
    const app = await mintApplication(ctx, developer, {
      scopes: ["identity", "service_key:usage"],
    });
    const scope = "identity service_key:usage";
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app, { scope })));
    const csrf = await visitor.csrf();
    const approve = async () =>
      (
        await visitor.post(at(postDecision, { requestId }), { decision: "approve", csrf })
      ).headers.get("location");
    expect(await approve()).toBe(`/confirm?request=${requestId}`);
    const proof = { csrf, request: requestId, game_key: simulator.demoKeys.member };
    const confirmed = await visitor.post(postConfirmation, proof);
    expect(confirmed.headers.get("location")).toBe(`/consent/${requestId}`);
    expect(await approve()).toContain("code=");
  });

  test("wants no confirmation from a live session for anything else", async () => {
    const visitor = await withKey();
    clock.advance(86_400);
    const app = await mintApplication(ctx, developer);
    const requestId = requestIdOf(await visitor.authorize(authorizationQuery(app)));
    const csrf = await visitor.csrf();
    const response = await visitor.post(at(postDecision, { requestId }), {
      decision: "approve",
      csrf,
    });
    expect(response.headers.get("location")).toContain("code=");
  });

  test("leaves out the optional permission whose box is unticked, and no other (AZ-40)", async () => {
    const scopes: ScopeName[] = ["identity", "faction:banking", "service_key:usage"];
    const app = await mintApplication(ctx, developer, { scopes, optionalScopes: scopes.slice(1) });
    const visitor = await withKey();
    const asked = await visitor.authorize(authorizationQuery(app, { scope: scopes.join(" ") }));
    const csrf = await visitor.csrf();
    const offered = scopes.slice(1).map((scope): [string, string] => ["optional", scope]);
    const fields: [string, string][] = [
      ["csrf", csrf],
      ["decision", "approve"],
      ["scope", "service_key:usage"],
      ...offered,
    ];
    const response = await visitor.post(
      at(postDecision, { requestId: requestIdOf(asked) }),
      fields,
    );
    const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const tokens = await (await postToken(ctx, app, redemption(app, code))).json();
    expect(tokens.scope).toBe("identity service_key:usage");
  });

  test("that was filled in on a page which no longer holds leads to the page again, and approves nothing", async () => {
    const { decide, csrf, requestId } = await asked();
    for (const outdated of ["allowed", "optional"]) {
      const response = await decide({ decision: "approve", csrf, [outdated]: "identity" });
      expect(response.headers.get("location")).toBe(`/consent/${requestId}`);
    }
    expect((await decide({ decision: "approve", csrf })).headers.get("location")).toContain(
      "code=",
    );
  });
});
