import { expect, type Page, type Response } from "playwright/test";

export interface Arrival {
  /** Where the browser was sent, with all that it carries. */
  readonly url: URL;
  /** The answer that sent it there. */
  readonly redirect: Response;
}

/**
 * Does something that ends in a redirect to a client of the tests, and waits until the browser follows it. A redirect that
 * a Content Security Policy blocks never gets that far.
 */
export async function arriveAtClient(page: Page, act: () => Promise<unknown>): Promise<Arrival> {
  const following = page.waitForRequest((request) =>
    /\.(?:test|example)$/.test(new URL(request.url()).hostname),
  );
  // Nobody lives at the client's address, so a navigation that is awaited to its end fails.
  await act().catch((error: Error) => expect(error.message).toContain("ERR_NAME_NOT_RESOLVED"));
  const request = await following;
  // The browser's own error page must stand before the test goes on, or it would interrupt the next navigation.
  // Looked at, not waited for: waiting would end with the failed navigation itself where a script began that.
  await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
  const redirect = await request.redirectedFrom()?.response();
  if (!redirect) throw new Error(`The browser went to ${request.url()} without a redirect.`);
  return { url: new URL(request.url()), redirect };
}
