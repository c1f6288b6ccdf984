import { expect, type Page } from "playwright/test";

/**
 * Expected: pages that show an error, unresolvable clients, a network taken away, and 4xx for
 * refused forms and for calls from the playground.
 */
const expectedNoise = (page: Page, url: string, text: string): boolean =>
  /Failed to load resource/.test(text) &&
  (url === page.url() ||
    /ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED/.test(text) ||
    isRefusal(url, text));

const isRefusal = (url: string, text: string): boolean =>
  /^\/api\/(trpc|v1)\//.test(new URL(url).pathname) && /status of 4\d\d/.test(text);

/**
 * Records violations of the Content Security Policy, uncaught errors and console errors. Call it
 * before the first navigation.
 * @returns asserts that there was none so far
 */
export async function watchViolations(page: Page): Promise<() => void> {
  const seen: string[] = [];
  page.on("pageerror", (error) => seen.push(`uncaught on ${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    const isError =
      message.type() === "error" && !expectedNoise(page, message.location().url, text);
    if (isError || /Content Security Policy|Refused to|hydrat/i.test(text))
      seen.push(`on ${page.url()}: ${text}`);
  });
  await page.exposeFunction("reportPolicyViolation", (text: string) => seen.push(text));
  await page.addInitScript(() => {
    const report = Reflect.get(globalThis, "reportPolicyViolation") as (text: string) => void;
    document.addEventListener("securitypolicyviolation", (event) =>
      report(
        `${event.effectiveDirective} blocked ${event.blockedURI || "inline"} on ${location.pathname}`,
      ),
    );
  });
  return () => expect(seen, "breaches of the Content Security Policy, and errors").toEqual([]);
}
