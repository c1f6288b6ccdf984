import type { Page } from "playwright/test";
import { describeRefusal, renderMessagePage } from "#app/_lib/form-page";
import { GameUnavailable, ServiceUnavailable, VaultRequestNotPending } from "#server/failures";
import { refusalOf } from "#server/trpc/refusal";
import { csrfOf } from "../support/call-portal";
import { look } from "../support/look";
import { filledIn } from "../support/register-application";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

/**
 * Submits a form without script.
 * @returns the answer's status
 */
async function submit(page: Page, action: string, fields: Record<string, string>): Promise<number> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === action);
  await page.evaluate(
    ({ action, fields }) => {
      const form = Object.assign(document.createElement("form"), { method: "post", action });
      for (const [name, value] of Object.entries(fields))
        form.append(
          Object.assign(document.createElement("input"), { type: "hidden", name, value }),
        );
      document.body.append(form);
      form.submit();
    },
    { action, fields },
  );
  const answer = await answered;
  // Until then "load" is that of the form's page.
  await page.waitForURL((url) => url.pathname === action);
  return answer.status();
}

test("what a form answers itself is in order on every screen, in both themes: a secret, shown once", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  await page.goto("/developers/new");
  const { kind, name, scopes, redirectUris } = filledIn({ name: "Plain Form" });
  const typed = { kind, name, scopes: scopes.join(" "), redirectUris: redirectUris.join("\n") };
  expect(
    await submit(page, "/developers/new/register", { csrf: await csrfOf(page), ...typed }),
  ).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Registered. Store the secret now: it is shown once",
  );
  await look(page, "form-registered");
  await page.getByRole("link", { name: "Open the application" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Form");
});

test("what a form answers itself is in order on every screen, in both themes: a refusal", async ({
  page,
}) => {
  await beSignedIn(page, "developer");
  for (const [name, status, action, fields] of [
    ["forged", 403, "/account/sessions/end", { csrf: "forged" }],
    ["unreadable", 400, "/faction/banking/cancel", { faction: "none" }],
  ] as const) {
    await page.goto("/account");
    expect(await submit(page, action, { csrf: await csrfOf(page), ...fields })).toBe(status);
    await look(page, `form-${name}`);
  }
});

test("what a form answers itself is in order on every screen, in both themes: what rarely happens", async ({
  page,
}) => {
  const asked = new Request("https://any.test/", { headers: { "x-nonce": "bm9uY2U=" } });
  const thrown = [VaultRequestNotPending, GameUnavailable, ServiceUnavailable].map((failure) =>
    failure.because({}),
  );
  for (const [index, fault] of [...thrown, new Error("unexpected")].entries()) {
    const answer = renderMessagePage(describeRefusal(refusalOf(fault), "0".repeat(22)), asked);
    await page.setContent(await answer.text());
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await look(page, `form-answer-${index}-${answer.status}`);
  }
});
