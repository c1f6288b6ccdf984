import { demoPersonOf } from "#simulator/demo-people";
import { arriveAtClient } from "../support/arrive-at-client";
import { look } from "../support/look";
import { openClient } from "../support/open-client";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

const scopes = ["identity", "faction:banking", "service_key:usage"] as const;
const optionalScopes = ["faction:banking", "service_key:usage"] as const;

test.describe("without script", () => {
  // Plain forms and links only.
  test.use({ javaScriptEnabled: false });

  test("a player leaves an optional permission out, and is later asked only what is new (AZ-40, TK-35)", async ({
    page,
    newcomer,
    product,
  }) => {
    const client = await openClient(await newcomer(), product.url, {
      name: "Lean Ledger",
      scopes,
      optionalScopes,
    });
    await signIn(page, "member");
    const approve = async (scope: string) => {
      const asked = await client.ask({ scope });
      await page.goto(asked.url);
      return {
        asked,
        press: () =>
          arriveAtClient(page, () => page.getByRole("button", { name: "Approve" }).click()),
      };
    };

    const first = await approve("identity service_key:usage");
    await expect(page.getByRole("checkbox")).toHaveCount(1);
    await page.getByLabel("Use your game key").uncheck();
    const { url } = await first.press();
    const tokens = await client.exchange(client.read(url, first.asked), first.asked);
    expect(tokens.scope).toBe("identity");

    const second = await approve("identity faction:banking");
    await expect(page.getByRole("heading", { name: "Already allowed" })).toBeVisible();
    await expect(
      page.getByRole("heading", { name: "New: Lean Ledger will also be able to" }),
    ).toBeVisible();
    await expect(page.getByLabel("Your faction's banking")).toBeChecked();
    const wider = await second.press();
    const both = await client.exchange(client.read(wider.url, second.asked), second.asked);
    expect(both.scope).toBe("identity faction:banking");
  });

  test("a player pauses, resumes and narrows an application, and reads what it did (PT-24, RF-15)", async ({
    page,
    newcomer,
    product,
  }) => {
    const client = await openClient(await newcomer(), product.url, {
      name: "Held Back",
      scopes,
      optionalScopes,
    });
    await signIn(page, "outsider");
    const asked = await client.ask({ scope: "identity service_key:usage" });
    await page.goto(asked.url);
    const { url } = await arriveAtClient(page, () =>
      page.getByRole("button", { name: "Approve" }).click(),
    );
    const tokens = await client.exchange(client.read(url, asked), asked);
    const status = async () => (await client.callUser(tokens.access_token)).status;
    expect(await status()).toBe(200);

    await page.goto("/account/apps");
    await page.getByRole("link", { name: "Held Back" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Held Back");
    // Lines of the request log are written once a second.
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("row").filter({ hasText: "Read your profile" })).toBeVisible({
        timeout: 500,
      });
    }).toPass();

    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByText("The application is paused.")).toBeVisible();
    expect(await status()).toBe(403);
    await expect(client.refresh(tokens.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByText("The application is resumed")).toBeVisible();
    expect(await status()).toBe(200);

    await page.locator("summary", { hasText: "Edit permissions" }).click();
    await page.getByLabel("Know who you are").uncheck();
    await page.getByRole("button", { name: "Save permissions" }).click();
    await expect(page.getByText("Permissions saved.")).toBeVisible();
    expect(await status()).toBe(403);
    expect((await client.refresh(tokens.refresh_token ?? "")).scope).toBe("service_key:usage");

    await page.locator("summary", { hasText: "Revoke access" }).click();
    await page.getByRole("button", { name: "Revoke access" }).click();
    await expect(page.getByRole("heading", { name: "It has no access" })).toBeVisible();
  });

  test("a request that was meant for another player can be asked again by the one who is there now (AZ-42)", async ({
    page,
    newcomer,
    product,
  }) => {
    const client = await openClient(await newcomer(), product.url, {
      name: "Handed Over",
      scopes,
      optionalScopes,
    });
    await signIn(page, "banker");
    const asked = await client.ask();
    await page.goto(asked.url);
    const waiting = page.url();
    await page.context().clearCookies({ name: "adjutant_session" });
    await signIn(page, "loner");
    await page.goto(waiting);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "This request belongs to another browser or player",
    );
    await page.getByRole("link", { name: "Ask me again" }).click();
    await expect(page.getByText(`Signed in as ${demoPersonOf("loner").name}`)).toBeVisible();
    const { url } = await arriveAtClient(page, () =>
      page.getByRole("button", { name: "Approve" }).click(),
    );
    expect(client.read(url, asked).get("code")).toBeTruthy();
  });
});

test("the pages of a grant are accessible and fit a phone, whatever became of it", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, {
    name: "Looked At",
    scopes,
    optionalScopes,
  });
  await signIn(page, "outsider");
  const asked = await client.ask({ scope: "identity service_key:usage" });
  await page.goto(asked.url);
  await look(page, "consent-optional");
  const { url } = await arriveAtClient(page, () =>
    page.getByRole("button", { name: "Approve" }).click(),
  );
  const tokens = await client.exchange(client.read(url, asked), asked);
  await client.callUser(tokens.access_token);
  await page.goto((await client.ask({ scope: "identity faction:banking" })).url);
  await look(page, "consent-incremental");

  await page.goto("/account/apps");
  await page.getByRole("link", { name: "Looked At" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Looked At");
  await page.locator("summary", { hasText: "Edit permissions" }).click();
  await look(page, "ledger-narrow");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("The application is paused.")).toBeVisible();
  await look(page, "ledger-paused");
  await page.locator("summary", { hasText: "Revoke access" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke access" }).click();
  await expect(page.getByRole("heading", { name: "It has no access" })).toBeVisible();
  await look(page, "ledger-ended");
});
