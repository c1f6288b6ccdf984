import { expect, type Page } from "playwright/test";
import type { ScopeName } from "#server/scopes";
import { callPortal } from "./call-portal";

const home = "https://client.test";
const callbackOf = (site: string) => `${site}/cb`;

/** Where the tests' clients are called back. Nobody listens there: the browser is seen to go there, and that is all. */
export const callback = callbackOf(home);

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
  readonly optionalScopes?: readonly ScopeName[];
  /** The origin of its pages and of its callback. */
  readonly site?: string;
}

/** What a developer fills in, complete. */
export const filledIn = ({
  name,
  kind = "confidential",
  scopes = ["identity"],
  optionalScopes = [],
  site = home,
}: Wishes) => ({
  kind,
  name,
  redirectUris: [callbackOf(site)],
  scopes: [...scopes],
  optionalScopes: [...optionalScopes],
  clientUri: `${site}/`,
  tosUri: `${site}/terms`,
  privacyUri: `${site}/privacy`,
  privacy: {
    data: "Your name and faction.",
    use: "To greet you by name.",
    retention: "Thirty days after your last visit.",
    deletion: "Send /forget to the bot.",
    sharing: "Nobody.",
  },
});

/** Registers an application for the player who is signed in on the page, without the form. */
export async function registerApplication(page: Page, wishes: Wishes): Promise<Registered> {
  const answer = await callPortal(page, "applications.create", filledIn(wishes));
  const { data } = (await answer.json()).result;
  expect(answer.status()).toBe(200);
  return { ...data.json, redirectUri: callbackOf(wishes.site ?? home) };
}
