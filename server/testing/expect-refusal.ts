import { expect } from "vitest";

/**
 * Expects the answer that RFC 6749 section 5.2 wants of a refusal: this status and error, in JSON
 * that is not cached.
 */
export async function expectRefusal(
  response: Response,
  status: number,
  error: string,
): Promise<void> {
  expect([response.status, await response.clone().json()]).toMatchObject([status, { error }]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-type")).toBe("application/json");
}
