import { expect } from "vitest";

/** RFC 6749 section 5.2, as JSON with no-store. */
export async function expectRefusal(
  response: Response,
  status: number,
  error: string,
): Promise<void> {
  expect([response.status, await response.clone().json()]).toMatchObject([status, { error }]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-type")).toBe("application/json");
}
