import { expect, type Page, type Response } from "playwright/test";

export interface Arrival {
  /** Where the browser was sent, with all that it carries. */
  readonly url: URL;
  /** The answer that sent it there; null where a page of ours did, as after a form. */
  readonly redirect: Response | null;
}

/**
 * Does something that ends at a client of the tests, and waits until the browser goes there. What a Content Security Policy blocks
 * never gets that far.
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
  const redirect = (await request.redirectedFrom()?.response()) ?? null;
  return { url: new URL(request.url()), redirect };
}
