import { expect, test } from "vitest";
import { formWorld } from "#server/testing/form-world";
import { mintApplication } from "#server/testing/oauth-world";
import { at } from "#server/testing/plain-browser";
import { POST } from "./route";

const { ctx, withKey } = await formWorld();

test("one click shows a token of the own account in a command that can be copied off the page as it is", async () => {
  const visitor = await withKey();
  const user = await visitor.user();
  if (!user) throw new Error("The visitor is not signed in.");
  const { clientId } = await mintApplication(ctx, user, { scopes: ["identity"] });
  const answer = await visitor.post(at(POST, { clientId }), { csrf: await visitor.csrf() });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const [, command = ""] = /<code class="secret">(.*?)<\/code>/s.exec(await answer.text()) ?? [];
  expect(command).toMatch(/^curl '\S+\/api\/v1\/user' -H 'Authorization: Bearer adj_at_\w+'$/);
});
