import type { Page } from "playwright/test";
import { demoPersonOf } from "#simulator/demo-people";
import { openClient } from "../support/open-client";
import { openSendingOn } from "../support/sending-on";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test.use({ ignoreHTTPSErrors: true });

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with script" : "without script", () => {
    test.use({ javaScriptEnabled });

    test("a callback that sends on to another origin is followed, however the request ends", async ({
      page,
      newcomer,
      product,
    }) => {
      const client = await openSendingOn((port) => `https://127.0.0.1:${port}/welcome`);
      const app = await openClient(await newcomer(), product.url, {
        ...{ name: `Sends On ${javaScriptEnabled}`, site: client.site },
      });
      const arrives = () => page.waitForURL(/^https:\/\/127\.0\.0\.1:\d+\/welcome/);

      // Sign-in, then approval.
      await page.goto((await app.ask()).url);
      await page.getByLabel("Torn API key").fill(demoPersonOf("member").key);
      await press(page, "Sign in");
      await press(page, "Approve");
      await arrives();
      // The consent page behind it says that it was answered.
      await page.goBack();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/already answered/);

      await page.goto((await app.ask({ prompt: "consent" })).url);
      await press(page, "Deny");
      await arrives();

      // A remembered consent answers at once, also right after a sign-in.
      await page.goto((await app.ask()).url);
      await arrives();
      await page.context().clearCookies();
      await page.goto((await app.ask()).url);
      await page.getByLabel("Torn API key").fill(demoPersonOf("member").key);
      await press(page, "Sign in");
      await arrives();

      const words = client.asked.map((query) => query.get("error") ?? "code");
      expect(words).toEqual(["code", "access_denied", "code", "code"]);
      await client.close();
    });

    test("a callback that sends on to an app of the device is asked", async ({
      page,
      newcomer,
      product,
    }) => {
      const client = await openSendingOn(() => "tornpda://auth?done=1");
      const app = await openClient(await newcomer(), product.url, {
        ...{ name: `Device ${javaScriptEnabled}`, site: client.site },
      });
      await beSignedIn(page, "member");
      await page.goto((await app.ask()).url);
      // The browser has no such app: the redirect shows what it would open.
      const redirect = page.waitForResponse((response) => response.url().includes("/cb?"));
      await press(page, "Approve");
      expect((await redirect).headers().location).toBe("tornpda://auth?done=1");
      expect(client.asked.map((query) => query.has("code"))).toEqual([true]);
      await client.close();
    });
  });

test("a sign-in in a pop-up keeps its opener from the first page to the callback", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openSendingOn(() => "");
  const app = await openClient(await newcomer(), product.url, {
    ...{ name: "Pop-up", site: client.site },
  });
  const asked = await app.ask();
  await page.goto(client.site);
  const opened = page.waitForEvent("popup");
  await page.evaluate((url) => {
    const opener = window as typeof window & { popup?: Window | null; answer?: Promise<string> };
    opener.answer = new Promise((resolve) =>
      addEventListener("message", ({ data }) => resolve(data), { once: true }),
    );
    opener.popup = window.open(url, "sign-in", "width=480,height=720");
  }, asked.url);
  const popup = await opened;
  const isClosed = () =>
    page.evaluate(() => (window as typeof window & { popup?: Window }).popup?.closed);
  await popup.getByLabel("Torn API key").fill(demoPersonOf("outsider").key);
  expect(await isClosed()).toBe(false);
  await press(popup, "Sign in");
  await popup.getByRole("button", { name: "Approve" }).waitFor();
  expect(await isClosed()).toBe(false);
  await press(popup, "Approve");
  const answer = await page.evaluate(
    () => (window as typeof window & { answer?: Promise<string> }).answer,
  );
  expect(new URLSearchParams(answer).get("code")).toMatch(/^adj_ac_/);
  await client.close();
});
