import { connectApplication } from "../support/connect-application";
import { look, threeWidths } from "../support/look";
import { openClient } from "../support/open-client";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("players report an application from its consent page and from connected apps, and an admin answers them", async ({
  page,
  newcomer,
  product,
}) => {
  const name = "Gold Rush";
  const [developer, connected, asked] = [await newcomer(), await newcomer(), await newcomer()];
  const client = await openClient(developer, product.url, { name });
  await connected.goto(product.url);
  await connectApplication(connected, client, "member");

  await connected.goto(new URL("/account/apps", product.url).href);
  await connected.getByRole("link", { name }).click();
  await connected.getByRole("link", { name: "Report this application" }).click();
  await expect(connected.getByRole("heading", { level: 1 })).toHaveText(`Report ${name}`);
  await look(connected, "report", threeWidths);
  await connected.getByLabel("It misuses data or access").check();
  await connected.getByLabel("What happened").fill("It sold my stats.\nTwice.");
  await connected.getByRole("button", { name: "Send report" }).click();
  await expect(connected.getByText("Sent. You get a notice")).toBeVisible();
  await connected.reload();
  await expect(connected.getByRole("button", { name: "Change report" })).toBeVisible();

  await asked.goto(product.url);
  await beSignedIn(asked, "outsider");
  await asked.goto((await client.ask()).url);
  await look(asked, "report-consent", threeWidths);
  await asked.getByRole("link", { name: "Report this application" }).click();
  await asked.getByLabel("It pretends to be somebody else").check();
  await asked.getByRole("button", { name: "Send report" }).click();
  await expect(asked.getByText("Sent. You get a notice")).toBeVisible();

  await beSignedIn(page, "banker");
  await page.goto("/admin/reports");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("2");
  await expect(row).toContainText("It pretends to be somebody else");
  await look(page, "admin-reports", threeWidths);
  await row.getByRole("link", { name }).click();
  await expect(page.getByText("2 open reports")).toBeVisible();
  await expect(page.getByText("It sold my stats.")).toBeVisible();
  await page.locator("summary", { hasText: "Mark as acted on" }).click();
  await look(page, "admin-reported-application", threeWidths);
  await page.getByRole("textbox", { name: "Reason" }).fill("Suspended after a talk.");
  await page.getByRole("button", { name: "Mark as acted on", exact: true }).click();
  await expect(page.getByText("Reports marked as acted on.")).toBeVisible();
  await expect(page.getByText("open reports")).toHaveCount(0);

  await connected.goto(new URL("/account/notices", product.url).href);
  const notice = connected.getByText(`You reported “${name}”.`).first();
  await expect(notice).toContainText("acted on it");
  await expect(notice).not.toContainText("after a talk");
});
