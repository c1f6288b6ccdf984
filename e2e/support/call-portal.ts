import type { APIResponse, Page } from "playwright/test";

/** The token that every form of the signed-in page carries. */
export const csrfOf = (page: Page): Promise<string> =>
  page.locator('input[name="csrf"]').first().inputValue();

/** Calls a mutation of the portal as the page's script would, with the page's cookies. */
export async function callPortal(
  page: Page,
  procedure: string,
  input: object,
): Promise<APIResponse> {
  const { origin } = new URL(page.url());
  const headers = {
    origin,
    "content-type": "application/json",
    "x-csrf-token": await csrfOf(page),
  };
  return page.request.post(`/api/trpc/${procedure}`, {
    headers,
    data: JSON.stringify({ json: input }),
  });
}
