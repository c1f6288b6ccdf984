import { expect, type Page } from "playwright/test";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import type { ScopeName } from "#server/scopes";
import { callPortal } from "./call-portal";

/** Where the tests' clients are called back. Nobody listens there: the browser is seen to go there, and that is all. */
export const callback = "https://client.test/cb";

/** An application as its developer knows it after the registration. */
export interface Registered {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly redirectUri: string;
}

interface Wishes {
  readonly name: string;
  readonly kind?: "confidential" | "public";
  readonly scopes?: readonly ScopeName[];
}

/** What a developer fills in, complete. */
export const filledIn = ({ name, kind = "confidential", scopes = ["identity"] }: Wishes): ApplicationInput => ({
  kind,
  name,
  redirectUris: [callback],
  scopes: [...scopes],
  clientUri: "https://client.test/",
  tosUri: "https://client.test/terms",
  privacyUri: "https://client.test/privacy",
  privacy: {
    data: "Your name and faction.",
    use: "To greet you by name.",
    retention: "Thirty days after your last visit.",
    deletion: "Send /forget to the bot.",
    sharing: "Nobody.",
  },
});

/** Registers an application for whoever is signed in on the page, without the form. */
export async function registerApplication(page: Page, wishes: Wishes): Promise<Registered> {
  const answer = await callPortal(page, "applications.create", filledIn(wishes));
  const { data } = (await answer.json()).result;
  expect(answer.status()).toBe(200);
  return { ...data.json, redirectUri: callback };
}
