import { expect, test } from "vitest";
import { z } from "zod";
import { StatScoreMissing } from "#server/failures";
import { writeExact } from "#server/platform/exact-json";
import { unixSeconds } from "#server/testing/kernel-endpoints";
import { defineEndpoint } from "./endpoint";
import { openApiDocument } from "./openapi";
import { queryInteger, snowflakeCodec } from "./shapes";

const Thing = z.object({ id: snowflakeCodec.nullable(), at: unixSeconds }).meta({ id: "Thing" });
const make = defineEndpoint({
  method: "POST",
  path: "/thing/<int:thing_id>/<name>",
  alias: "/<int:thing_id>/<name>",
  title: "Make a Thing",
  did: "Tried",
  description: "Makes it.",
  tag: "Things",
  scopes: ["faction:banking"],
  query: z.object({ limit: queryInteger({ min: 1, max: 100 }).default(25), of: z.string() }),
  body: z.object({ thing: Thing, until: unixSeconds.nullable().default(null) }),
  returns: z.array(Thing),
  fails: [StatScoreMissing],
  limit: { policy: "things", setting: "chainList" },
  idempotent: true,
  handle: () => [],
});
const options = {
  version: "1",
  baseUrl: "https://adjutant.test",
  prefix: "/api/v1",
  tags: [{ name: "Things", description: "" }],
};
const document = JSON.parse(writeExact(openApiDocument([make], options)));
const operation = document.paths["/api/v1/thing/{thing_id}/{name}"].post;

test("a path and its alias are two operations with ids of their own", () => {
  expect(Object.keys(document.paths)).toEqual([
    "/api/v1/thing/{thing_id}/{name}",
    "/api/v1/{thing_id}/{name}",
  ]);
  expect(operation.operationId).toBe("makeAThing");
  expect(document.paths["/api/v1/{thing_id}/{name}"].post.operationId).toBe("makeAThingAlias");
});

test("parameters are typed as the wire has them, with their defaults", () => {
  expect(operation.parameters).toEqual([
    {
      name: "thing_id",
      in: "path",
      required: true,
      schema: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
    },
    { name: "name", in: "path", required: true, schema: { type: "string" } },
    {
      name: "limit",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 100, examples: [1], default: 25 },
    },
    { name: "of", in: "query", required: true, schema: { type: "string" } },
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: expect.any(String),
      schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
    },
  ]);
});

test("records are described by their wire side: exact integers, Unix seconds, null", () => {
  expect(document.components.schemas.Thing).toEqual({
    type: "object",
    properties: {
      id: {
        type: ["integer", "null"],
        format: "int64",
        description: expect.any(String),
        examples: [expect.any(Number)],
      },
      at: {
        ...{ type: "integer", format: "int64", minimum: 0 },
        ...{ description: "Unix seconds.", examples: [1_767_225_600] },
      },
    },
    required: ["id", "at"],
  });
  const body = operation.requestBody.content["application/json"];
  expect(body.schema.properties.thing).toEqual({ $ref: "#/components/schemas/Thing" });
  expect(body.schema.required).toEqual(["thing"]);
  expect(writeExact(openApiDocument([make], options))).toContain(
    '"example":[{"id":123456789012345678,"at":1767225600}]',
  );
});

test("the headers of an answer are listed: of a list the next page, of an endpoint that ends when", () => {
  const listed = { ...make, alias: undefined };
  const since = new Date("2026-01-01T00:00:00Z");
  const ending = { ...make, deprecated: { since, sunset: since, link: "/docs" }, query: undefined };
  const headersOf = (endpoint: object, status: string) => {
    const { paths } = openApiDocument([endpoint as typeof make], options) as typeof document;
    const { post } = paths["/api/v1/thing/{thing_id}/{name}"];
    return Object.keys(post.responses[status].headers);
  };
  expect(headersOf(listed, "200")).toEqual(expect.arrayContaining(["Cache-Control", "Link"]));
  expect(headersOf(listed, "401")).not.toContain("Link");
  const ended = ["Deprecation", "Sunset", "Link"];
  expect(headersOf(ending, "200")).toEqual(expect.arrayContaining(ended));
  expect(headersOf(ending, "403")).toEqual(expect.arrayContaining(ended));
});

test("what an error's details can hold is listed", () => {
  const { details } = document.components.schemas.Error.properties;
  expect(Object.keys(details.properties)).toEqual(
    expect.arrayContaining(["message", "errors", "missing", "policy", "game_code", "oldest"]),
  );
});

test("scopes, and every way to fail, are listed", () => {
  expect(operation.security).toEqual([
    { oauth: ["faction:banking"] },
    { oauth: ["faction"] },
    { bearer: [] },
  ]);
  expect(Object.keys(operation.responses)).toEqual([
    "200",
    "400",
    "401",
    "403",
    "406",
    "409",
    "413",
    "415",
    "429",
    "500",
    "503",
  ]);
  expect(Object.keys(operation.responses[409].content["application/json"].examples)).toEqual([
    "StatScoreMissing",
    "IdempotencyConflict",
  ]);
});
