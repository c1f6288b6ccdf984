import { expect, test } from "vitest";
import { callableEndpointOf } from "#app/docs/_parts/describe-endpoint";
import { routes } from "#server/routes";
import { addressOf, headersOf } from "./call-endpoint";

const endpoints = routes.map((endpoint) => callableEndpointOf(endpoint));

const specific = endpoints.find(({ path }) => path === "/api/v1/user/{user_id}");

test("values stand in their places, escaped, and empty ones are left out", () => {
  if (!specific) throw new Error("The endpoint is not in the table.");
  expect(addressOf(specific, { user_id: "1001", refresh: "" })).toBe("/api/v1/user/1001");
  expect(addressOf(specific, { user_id: "1/../2?x", refresh: "true" })).toBe(
    "/api/v1/user/1%2F..%2F2%3Fx?refresh=true",
  );
});

test("header parameters are sent as headers alone", () => {
  const endpoint = {
    method: "POST",
    path: "/api/v1/x",
    title: "X",
    description: "",
    scopes: [],
    parameters: [
      {
        name: "Idempotency-Key",
        in: "header" as const,
        required: false,
        description: "",
        example: "",
      },
    ],
    body: "{}",
  };
  expect(headersOf(endpoint, { "Idempotency-Key": "a" })).toEqual({ "Idempotency-Key": "a" });
  expect(addressOf(endpoint, { "Idempotency-Key": "a" })).toBe("/api/v1/x");
});
