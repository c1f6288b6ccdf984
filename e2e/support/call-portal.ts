import type { APIResponse, Page } from "playwright/test";

export const csrfOf = (page: Page): Promise<string> =>
  page.locator('input[name="csrf"]').first().inputValue();

/** Calls a mutation as the page's script would, with the page's cookies. */
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
