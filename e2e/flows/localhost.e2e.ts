import { createServer } from "node:http";
import { look } from "../support/look";
import { expect, test } from "../support/test";

test.use({ storageState: ({ portal }, use) => use(portal.developer) });

test("the owner of a server-side application gets the code to a server on the own machine, and exchanges it", async ({
  page,
  portal,
  product,
}) => {
  const { clientId, clientSecret } = portal.used;
  const server = createServer((_, response) => response.end("received"));
  const arrived = new Promise<URL>((resolve) => {
    server.on(
      "request",
      ({ url = "" }) => url.startsWith("/cb") && resolve(new URL(url, "http://localhost")),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const redirectUri = `${product.url}/oauth/${clientId}/callback`;
  const query = new URLSearchParams({
    ...{
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "identity",
      state: "a b",
    },
    prompt: "consent",
  });
  await page.goto(`/oauth/authorize?${query}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Send it to localhost" })).toBeVisible();
  await page.getByLabel("Address on this machine").fill("http://localhost.evil.test/cb");
  await expect(page.getByText("Enter an http address of localhost")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Send to/ })).toHaveCount(0);
  await page.getByLabel("Address on this machine").fill(`http://127.0.0.1:${port}/cb`);
  await look(page, "callback-localhost");
  await page.getByRole("link", { name: `Send to 127.0.0.1:${port}` }).click();
  const { searchParams } = await arrived;
  server.close();
  expect([searchParams.get("state"), searchParams.get("iss")]).toEqual(["a b", product.url]);
  const answer = await fetch(`${product.url}/oauth/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
    },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: searchParams.get("code") ?? "",
      redirect_uri: redirectUri,
    }),
  });
  expect(answer.status).toBe(200);
});

test("a browser that keeps nothing still hands on: the address is typed each time", async ({
  page,
  portal,
  product,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("Access is denied.", "SecurityError");
      },
    });
  });
  const answer = new URLSearchParams({ error: "access_denied", state: "x", iss: product.url });
  await page.goto(`/oauth/${portal.used.clientId}/callback?${answer}`);
  await page.getByLabel("Address on this machine").fill("http://localhost:8123/cb");
  await expect(page.getByRole("link", { name: "Send to localhost:8123" })).toHaveAttribute(
    "href",
    /^http:\/\/localhost:8123\/cb\?error=access_denied/,
  );
});
