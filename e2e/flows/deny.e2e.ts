import * as oauth from "oauth4webapi";
import { arriveAtClient } from "../support/arrive-at-client";
import { openClient } from "../support/open-client";
import { signIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("who denies is brought back with the refusal alone, and nothing is allowed (AZ-34, AZ-35)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Nosy Parker" });
  await signIn(page, "outsider");
  const asked = await client.ask();
  await page.goto(asked.url);
  const { url } = await arriveAtClient(page, () =>
    page.getByRole("button", { name: "Deny" }).click(),
  );
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    error: "access_denied",
    state: asked.state,
    iss: client.server.issuer,
  });
  expect(url.searchParams.has("code")).toBe(false);
  expect(() => client.read(url, asked)).toThrow(oauth.AuthorizationResponseError);

  await page.goto("/account/apps");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connected apps");
  await expect(page.getByText("Nosy Parker")).toHaveCount(0);
});

test("an application that nobody can be sent back to ends on a page, not on a redirect (AZ-02, AZ-04)", async ({
  page,
  newcomer,
  product,
}) => {
  const client = await openClient(await newcomer(), product.url, { name: "Stray Link" });
  const changed = async (name: string, value: string) => {
    const url = new URL((await client.ask()).url);
    url.searchParams.set(name, value);
    const answer = await page.goto(url.href);
    expect([answer?.status(), new URL(page.url()).pathname]).toEqual([400, "/oauth/authorize"]);
    return page.getByRole("heading", { level: 1 }).innerText();
  };
  expect(await changed("client_id", "0".repeat(32))).toBe("Unknown application");
  expect(await changed("redirect_uri", "https://client.test/cb/")).toContain(
    "unregistered address",
  );
});
