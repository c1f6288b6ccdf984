import { createServer } from "node:http";
import { onLoopback } from "#server/testing/on-loopback";
import { callPortal } from "../support/call-portal";
import { openIndependentClient } from "../support/independent-client";
import { look, threeWidths } from "../support/look";
import { callback, filledIn } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("a team proves its domain, requests verification, an admin says yes, and the consent page shows both (AZ-44)", async ({
  page: owner,
  newcomer,
  product,
}) => {
  let file = "";
  const site = createServer((request, response) => {
    if (request.url !== "/.well-known/adjutant.txt" || !file)
      return void response.writeHead(404).end();
    response.end(`${file}\n`);
  });
  const domain = `localhost:${await onLoopback(site)}`;

  const name = "Lantern Clerk";
  await beSignedIn(owner, "developer");
  await owner.goto("/developers");
  const registered = await callPortal(owner, "applications.create", {
    ...{ ...filledIn({ name }), description: "Keeps the vault's book." },
    clientUri: `https://${domain}/`,
  });
  const { clientId, clientSecret } = (await registered.json()).result.data.json;
  await owner.goto(`/developers/apps/${clientId}`);
  await owner.getByRole("link", { name: "Verification" }).click();
  await look(owner, "verification-none", threeWidths);

  await owner.getByLabel("Domain").fill("https://clerk.example/");
  await owner.getByRole("button", { name: "Continue" }).click();
  await expect(owner.getByText("Enter a full public name alone")).toBeVisible();
  await expect(owner.getByLabel("Domain")).toHaveValue("https://clerk.example/");
  await owner.getByLabel("Domain").fill("bücher.example");
  await owner.getByRole("button", { name: "Continue" }).click();
  await expect(owner.getByText("_adjutant.xn--bcher-kva.example")).toBeVisible();
  await look(owner, "verification-named", threeWidths);
  await owner.getByText("Remove", { exact: false }).first().click();
  await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await owner.getByLabel("Domain").fill(domain);
  await owner.getByRole("button", { name: "Continue" }).click();
  await owner.getByRole("button", { name: "Check now" }).click();
  await expect(owner.getByText("Not proven: no proof was found.")).toBeVisible();
  await expect(owner.getByText("Answered with 404.")).toBeVisible();
  await look(owner, "verification-missing", threeWidths);

  file = await owner
    .locator("dt", { hasText: /^Text$/ })
    .locator("+ dd code")
    .innerText();
  await owner.getByRole("button", { name: "Check now" }).click();
  await expect(owner.getByText("Proven. Players see the domain")).toBeVisible();
  await owner.getByRole("button", { name: "Request verification" }).click();
  await expect(owner.getByText("Asked. You get a notice")).toBeVisible();
  await look(owner, "verification-requested", threeWidths);

  const admin = await newcomer();
  await admin.goto(product.url);
  await beSignedIn(admin, "banker");
  await admin.goto("/admin/applications?state=requested");
  await look(admin, "admin-verification-queue", threeWidths);
  await admin.getByRole("rowheader").getByRole("link", { name }).click();
  await expect(admin.getByText("It was never verified.")).toBeVisible();
  await expect(admin.getByText(`${domain}, proven`).first()).toBeVisible();
  await look(admin, "admin-verification-request", threeWidths);
  await admin.locator("summary", { hasText: /^Verify/ }).click();
  await admin.getByRole("textbox", { name: "Reason" }).fill("The book is well kept.");
  await admin.getByRole("button", { name: "Verify", exact: true }).click();
  await expect(admin.getByText("Verified. Players see the mark")).toBeVisible();

  await owner.goto("/account/notices");
  await expect(owner.getByText(`"${name}" is verified`)).toContainText("The book is well kept.");
  const player = await newcomer();
  await player.goto(product.url);
  await beSignedIn(player, "member");
  const client = await openIndependentClient(product.url, {
    ...{ clientId, clientSecret, redirectUri: callback },
  });
  await player.goto((await client.ask({ scope: "identity" })).url);
  await expect(player.getByText(`${domain}, proven`)).toBeVisible();
  await expect(player.getByText("Verified", { exact: true })).toBeVisible();
  await expect(player.getByText("client.test").first()).toBeVisible();
  await look(player, "verification-consent", threeWidths);
  await player.getByRole("button", { name: "Approve" }).click();
  await player.goto(new URL(`/account/apps/${clientId}`, product.url).href);
  await expect(player.getByText(`${domain}, proven`)).toBeVisible();
  await look(player, "verification-connected", threeWidths);

  await owner.goto(`/developers/apps/${clientId}/verification`);
  await look(owner, "verification-verified", threeWidths);
  await owner.getByText("Remove", { exact: false }).first().click();
  await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(owner.getByText("The domain is removed.")).toBeVisible();
  await player.goto((await client.ask({ scope: "identity", prompt: "consent" })).url);
  await expect(player.getByText("Not verified")).toBeVisible();
  await expect(player.getByText(`${domain}, proven`)).toHaveCount(0);
  site.close();
});
