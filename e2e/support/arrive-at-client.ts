import { expect, type Page, type Response } from "playwright/test";

export interface Arrival {
  /** Full URL of the navigation. */
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
  // The client's address does not resolve, so an awaited navigation fails.
  await act().catch((error: Error) => expect(error.message).toContain("ERR_NAME_NOT_RESOLVED"));
  const request = await following;
  // The browser's error page must be there before the test goes on, or it would interrupt the next
  // navigation. Polled, because a wait would end with the failed navigation if a script began that.
  await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
  const redirect = await request.redirectedFrom()?.response();
  if (!redirect) throw new Error(`The browser went to ${request.url()} without a redirect.`);
  return { url: new URL(request.url()), redirect };
}
