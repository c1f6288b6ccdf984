import { expect, type Page } from "playwright/test";

/**
 * Notes everything on a page that ought not to be: breaches of the Content Security Policy and uncaught errors. Call
 * it before the first navigation.
 * @returns asserts that there was none so far
 */
export async function watchViolations(page: Page): Promise<() => void> {
  const seen: string[] = [];
  page.on("pageerror", (error) => seen.push(`uncaught on ${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (/Content Security Policy|Refused to|hydrat/i.test(text)) seen.push(`on ${page.url()}: ${text}`);
  });
  await page.exposeFunction("reportPolicyViolation", (text: string) => seen.push(text));
  await page.addInitScript(() => {
    const report = Reflect.get(globalThis, "reportPolicyViolation") as (text: string) => void;
    document.addEventListener("securitypolicyviolation", (event) =>
      report(`${event.effectiveDirective} blocked ${event.blockedURI || "inline"} on ${location.pathname}`),
    );
  });
  return () => expect(seen, "breaches of the Content Security Policy and uncaught errors").toEqual([]);
}
