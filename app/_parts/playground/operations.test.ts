import { expect, test } from "vitest";
import { apiPrefix } from "#server/machine-path";
import { openApiDocument } from "#server/rest/openapi";
import { routes, tags } from "#server/routes";
import { addressOf, headersOf, operationsOf } from "./operations";

const document = openApiDocument(routes, {
  version: "1",
  baseUrl: "http://localhost:3000",
  prefix: apiPrefix,
  tags,
}) as Parameters<typeof operationsOf>[0];
const operations = operationsOf(document);

test("the playground offers every endpoint of the table, with its scopes", () => {
  for (const { title, method, scopes } of routes)
    expect(operations).toContainEqual(expect.objectContaining({ title, method, scopes }));
});

const specific = operations.find(({ path }) => path === "/api/v1/user/{user_id}");

test("values stand in their places, escaped, and empty ones are left out", () => {
  if (!specific) throw new Error("The endpoint is not in the document.");
  expect(addressOf(specific, { user_id: "1001", refresh: "" })).toBe("/api/v1/user/1001");
  expect(addressOf(specific, { user_id: "1/../2?x", refresh: "true" })).toBe(
    "/api/v1/user/1%2F..%2F2%3Fx?refresh=true",
  );
});

test("header parameters are sent as headers alone", () => {
  const operation = {
    id: "x",
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
  expect(headersOf(operation, { "Idempotency-Key": "a" })).toEqual({ "Idempotency-Key": "a" });
  expect(addressOf(operation, { "Idempotency-Key": "a" })).toBe("/api/v1/x");
});
