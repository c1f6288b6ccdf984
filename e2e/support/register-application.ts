import { expect, type Page } from "playwright/test";
import type { ScopeName } from "#server/scopes";
import { callPortal } from "./call-portal";

const home = "https://client.test";
const callbackOf = (site: string) => `${site}/cb`;

/** The tests' callback: no server listens there; only the navigation is observed. */
export const callback = callbackOf(home);

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
  readonly site?: string;
}

/** Complete input of the registration. */
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

export async function registerApplication(page: Page, wishes: Wishes): Promise<Registered> {
  const answer = await callPortal(page, "applications.create", filledIn(wishes));
  expect(answer.status(), await answer.text()).toBe(200);
  const { data } = (await answer.json()).result;
  return { ...data.json, redirectUri: callbackOf(wishes.site ?? home) };
}
