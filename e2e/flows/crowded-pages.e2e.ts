import type { Page } from "playwright/test";
import { demoPersonOf } from "#simulator/demo-people";
import { asked } from "../support/busy-portal";
import { csrfOf } from "../support/call-portal";
import { expectFits } from "../support/fits";
import { openIndependentClient } from "../support/independent-client";
import { everyWidth } from "../support/look";
import { type Registered, registerApplication } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";
import { openVisitor } from "../support/visitor";

/** The maximum length of a name, without a break opportunity. */
const longName = `${"Vorratsverwaltung".repeat(3)}Anzeige`;
const longHost = `${`${"a".repeat(60)}.`.repeat(3)}example`;

/** Fills the portal's lists: applications, grants, calls, sessions and vault requests. */
async function crowd(developer: Page, member: Page, baseUrl: string): Promise<Registered> {
  // The demo developer has most of the fifty applications that one can have, by other tests.
  await beSignedIn(developer, "outsider");
  await developer.goto("/developers");
  const app = await registerApplication(developer, {
    name: longName,
    site: `https://${longHost}`,
    scopes: asked,
  });
  for (let number = 1; number <= 8; number++)
    await registerApplication(developer, { name: `Crowd ${number}` });

  const revoked = await registerApplication(developer, { name: "Crowd 9" });
  const visitor = await openVisitor(baseUrl, demoPersonOf("member").key);
  const allow = ({ clientId, clientSecret, redirectUri }: Registered, scopes: readonly string[]) =>
    visitor.authorize({ clientId, clientSecret: clientSecret ?? "" }, { redirectUri, scopes });
  await allow(revoked, ["identity"]);
  for (let round = 0; round < 6; round++) {
    const { accessToken } = await allow(app, asked);
    for (const path of ["/7001/members", "/user/999999999", `/${"no/such/path/".repeat(8)}`])
      await fetch(`${baseUrl}/api/v1${path}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
  }

  await beSignedIn(member, "member");
  await member.goto("/faction/banking");
  for (const amount of ["1", "2,500,000", "1.5m"]) {
    await member.getByLabel("Amount").fill(amount);
    await member.getByRole("button", { name: "Send request" }).click();
    await expect(member.getByText("Request sent.")).toBeVisible();
  }
  await developer.request.post(`/developers/apps/${revoked.clientId}/tokens/revoke`, {
    headers: { origin: new URL(baseUrl).origin },
    form: { csrf: await csrfOf(developer), confirm_name: "Crowd 9" },
  });
  return app;
}

test("with many rows, long names and unread notices nothing is cut and nothing scrolls sideways", async ({
  page,
  newcomer,
  product,
}) => {
  const [member, banker] = [await newcomer(), await newcomer()];
  await beSignedIn(banker, "banker");
  const crowded = await crowd(page, member, product.url);
  const { clientId } = crowded;
  const asking = await (await openIndependentClient(product.url, crowded)).ask({
    scope: asked.join(" "),
  });
  const own = `/developers/apps/${clientId}`;
  const pages: [reader: Page, addresses: readonly string[]][] = [
    [page, ["/developers", own, `${own}/requests`, `${own}/failures`, `${own}/tokens`]],
    [page, [`${own}/settings`, `${own}/credentials`, `${own}/team`, `${own}/history`]],
    [page, ["/stocks", "/players?q=a"]],
    [member, ["/account/apps", `/account/apps/${clientId}`, "/account/sessions"]],
    [member, ["/account/notices", "/account/history", "/faction", "/faction/banking"]],
    [banker, ["/faction/banking", "/faction/banking/ledger", "/admin", "/admin/system"]],
    [banker, ["/admin/accounts", "/admin/applications", "/admin/audit"]],
    [banker, [`/admin/applications/${clientId}`, asking.url]],
  ];
  for (const [reader, addresses] of pages)
    for (const address of addresses) {
      await reader.goto(new URL(address, product.url).href);
      await expect(reader.getByRole("heading", { level: 1 })).toBeVisible();
      for (const width of everyWidth) {
        await reader.setViewportSize({ width, height: 800 });
        await expectFits(reader);
      }
    }
});
