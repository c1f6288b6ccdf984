import { demoPersonOf } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { callPortal } from "../support/call-portal";
import { openIndependentClient } from "../support/independent-client";
import { look, threeWidths } from "../support/look";
import { callback, filledIn } from "../support/register-application";
import { beSignedIn, signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("a test player approves an application that is not open yet, and others read why they cannot", async ({
  page,
  newcomer,
  product,
}) => {
  const [tester, other] = [await newcomer(), await newcomer()];
  await beSignedIn(page, "developer");
  await tester.goto(product.url);
  await beSignedIn(tester, "member");
  await page.goto("/developers");
  const input = { ...filledIn({ name: "Trial Balance" }), tosUri: "" };
  const answer = await callPortal(page, "applications.create", input);
  const { clientId, clientSecret } = (await answer.json()).result.data.json;
  const registered = { clientId, clientSecret, redirectUri: callback };
  const client = await openIndependentClient(product.url, registered);

  await page.goto(`/developers/apps/${clientId}`);
  await page.getByRole("link", { name: "add test players" }).click();
  const list = page.locator("section", {
    has: page.getByRole("heading", { name: "Test players" }),
  });
  const add = async (player: string) => {
    await list.getByLabel("Player name or ID").fill(player);
    await list.getByRole("button", { name: "Add test player" }).click();
  };
  await add("No_Such_Player");
  await expect(list.getByText("No player with this name or ID has signed in here.")).toBeVisible();
  await expect(list.getByLabel("Player name or ID")).toHaveValue("No_Such_Player");
  await add(demoPersonOf("member").name);
  await expect(page.getByText("Added. They get a notice")).toBeVisible();
  await look(page, "test-players", threeWidths);

  const asked = await client.ask();
  await tester.goto(asked.url);
  await expect(tester.getByText("Only its team and test players can approve it.")).toBeVisible();
  await look(tester, "test-player-consent", threeWidths);
  await arriveAtClient(tester, () => tester.getByRole("button", { name: "Approve" }).click());

  const refused = await client.ask();
  await other.goto(refused.url);
  await signIn(other, "outsider");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(
    "Trial Balance is not open to players yet",
  );
  await look(other, "test-player-refused", threeWidths);
  const { url } = await arriveAtClient(other, () =>
    other.getByRole("button", { name: "Go back to the application" }).click(),
  );
  expect(url.searchParams.get("error")).toBe("access_denied");
  expect(url.searchParams.get("state")).toBe(refused.state);

  await page.locator("summary", { hasText: "Remove" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Removed. Access that they gave it has ended.")).toBeVisible();
  await tester.goto(new URL("/account/apps", product.url).href);
  await expect(tester.getByText("Trial Balance")).toHaveCount(0);
});
