import { expect, type Page } from "playwright/test";
import type { ScopeName } from "#server/scopes";
import { demoPeople } from "#simulator/demo-people";
import { callPortal } from "./call-portal";
import { type Registered, registerApplication } from "./register-application";
import { signIn } from "./sign-in";
import { openVisitor } from "./visitor";

/** Scopes of its applications. */
export const asked: readonly ScopeName[] = [
  "identity",
  "faction:attacks",
  "faction:banking",
  "faction:crimes",
  "service_key:usage",
];

export interface BusyPortal {
  /** Approved by every demo player. */
  readonly used: Registered;
  /** Its last calls were refused. */
  readonly refused: Registered;
  /** Approved by no player, with many scopes. */
  readonly asking: Registered;
  /** An unverified webhook endpoint. */
  readonly endpointId: string;
  /** A public application, with a warning for each player. */
  readonly overlay: Registered;
}

const usual = ["/user", "/user/1002", "/7001/members", "/faction/crime/names"];
const tooMuch = "/user/1002?refresh=true";

/**
 * Signs in as the demo developer and gives their applications players, tokens and calls. The page
 * ends on the list of applications.
 */
export async function makeBusy(page: Page, baseUrl: string): Promise<BusyPortal> {
  await signIn(page, "developer");
  const register = (name: string, site: string, kind: "confidential" | "public" = "confidential") =>
    registerApplication(page, { name, site, kind, scopes: asked });
  const asking = await register("Lantern Ledger", "https://ledger.example");
  const hook = {
    clientId: asking.clientId,
    url: "https://hooks.example/adjutant",
    types: ["grant.approved"],
  };
  const endpoint = await (
    await callPortal(page, "webhooks.add", { ...hook, description: "Ledger" })
  ).json();
  const overlay = await register("War Room Overlay", "https://overlay.example", "public");
  const refused = await register("Chain Herald", "https://herald.example");
  const used = await register("Muster Roll", "https://muster.example");

  for (const [index, { key }] of demoPeople.entries()) {
    const visitor = await openVisitor(baseUrl, key);
    const clients = index < 2 ? [used, refused] : [used];
    for (const { clientId, clientSecret, redirectUri } of clients) {
      const client = { clientId, clientSecret: clientSecret ?? "" };
      const { accessToken } = await visitor.authorize(client, {
        redirectUri,
        scopes: ["identity"],
      });
      const call = (path: string) =>
        fetch(`${baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
      const repeated =
        clientId === used.clientId ? [...usual, ...usual, ...usual] : [...usual, tooMuch];
      for (const path of repeated) await (await call(path)).text();
    }
  }

  // Lines of the request log are written once a second.
  await expect(async () => {
    await page.goto("/developers");
    const row = page.getByRole("row").filter({ hasText: "Muster Roll" });
    await expect(row).toContainText("60", { timeout: 500 });
  }).toPass();
  return { used, refused, asking, endpointId: endpoint.result.data.json.endpointId, overlay };
}
