import { demoPerson } from "#simulator/demo-people";
import { expect, test } from "../support/test";

/** What a page sends its own script when it is reached from another page (Next's payload of server components). */
const asPayload = { rsc: "1" };

test("a person's own pages are kept by nobody, and hold no secret, as pages and as payloads (HD-03, SC-07)", async ({
  browser,
  product,
  portal,
}) => {
  const context = await browser.newContext({ baseURL: product.url, storageState: portal.developer });
  const session = portal.developer.cookies.find(({ httpOnly, name }) => httpOnly && name.includes("session"))?.value;
  const secrets = [session, demoPerson("developer").key, portal.used.clientSecret, portal.asking.clientSecret];
  expect(secrets.map((secret) => (secret ?? "").length > 15)).toEqual([true, true, true, true]);

  const below = (parent: string, children: readonly string[]) => children.map((child) => `${parent}${child}`);
  const paths = [
    ...below("/account", ["", "/history", "/notices", "/security", "/sessions", "/delete"]),
    ...below("/account/apps", ["", `/${portal.used.clientId}`]),
    ...below("/developers", ["", "/new", "/playground", "/doctor"]),
    ...below(`/developers/apps/${portal.used.clientId}`, ["", "/credentials", "/settings", "/requests", "/failures"]),
    ...below(`/developers/apps/${portal.used.clientId}`, ["/tokens", "/danger", "/webhooks"]),
    ...below("/faction", ["", "/banking"]),
  ];
  for (const path of paths)
    for (const headers of [{}, asPayload]) {
      // A payload is asked for once more with the hash of its headers, where Next sends it; nobody is sent anywhere else.
      const answer = await context.request.get(path, { headers, maxRedirects: 1 });
      const text = await answer.text();
      const { "cache-control": cache, "content-type": type } = answer.headers();
      expect([new URL(answer.url()).pathname, answer.status(), type?.split(";")[0]]).toEqual([
        path,
        200,
        "rsc" in headers ? "text/x-component" : "text/html",
      ]);
      expect([path, cache]).toEqual([path, expect.stringMatching(/^(?=.*\bprivate\b)(?=.*\bno-store\b)/)]);
      expect(
        secrets.filter((secret) => secret && text.includes(secret)),
        path,
      ).toEqual([]);
    }
  await context.close();
});
