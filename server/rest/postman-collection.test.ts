import { describe, expect, test } from "vitest";
import { apiPrefix } from "#server/machine-path";
import { routes, tags } from "#server/routes";
import type { Method } from "./endpoint";
import { postmanCollection } from "./postman-collection";
import { compileRouter } from "./router";

interface Saved {
  readonly method: string;
  readonly header: readonly { readonly key: string; readonly value: string }[];
  readonly url: {
    readonly path: readonly string[];
    readonly variable: readonly { readonly key: string; readonly value: string }[];
    readonly query: readonly { key: string; value: string; disabled: boolean }[];
  };
  readonly body?: { readonly raw: string };
}
interface Collection {
  readonly info: object;
  readonly variable: readonly object[];
  readonly item: readonly {
    readonly item: readonly { readonly name: string; readonly request: Saved }[];
  }[];
}

const baseUrl = "https://adjutant.test";
const collection = postmanCollection(routes, { baseUrl, prefix: apiPrefix, tags }) as Collection;
const saved = new Map(
  collection.item.flatMap(({ item }) => item.map(({ name, request }) => [name, request] as const)),
);
const find = compileRouter(routes, apiPrefix);

test("the collection has every endpoint once, in the format that Postman and Bruno import", () => {
  expect([...saved.keys()].sort()).toEqual(routes.map(({ title }) => title).sort());
  expect(collection).toMatchObject({
    info: { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{accessToken}}" }] },
    variable: [{ key: "baseUrl", value: baseUrl }, { key: "accessToken" }],
  });
});

describe.each(routes.map((endpoint) => [endpoint.title, endpoint] as const))(
  "the saved request %s",
  (title, endpoint) => {
    const { method, header, url, body } = saved.get(title) as Saved;

    test("reaches its endpoint with the values that it proposes", () => {
      const filled = url.path.map(
        (part) => url.variable.find(({ key }) => part === `:${key}`)?.value ?? part,
      );
      const found = find(`/${filled.join("/")}`);
      expect(found?.route.methods.get(method as Method)?.title).toBe(title);
    });

    test("is valid input", () => {
      const query = url.query.filter(({ disabled }) => !disabled);
      const asked = Object.fromEntries(query.map(({ key, value }) => [key, value]));
      expect(endpoint.query?.safeParse(asked).success).not.toBe(false);
      if (endpoint.body) {
        expect(endpoint.body.safeParse(JSON.parse(body?.raw ?? "")).error).toBeUndefined();
        expect(header).toContainEqual({ key: "Content-Type", value: "application/json" });
      }
      expect(header.some(({ key }) => key === "Idempotency-Key")).toBe(
        endpoint.idempotent ?? false,
      );
    });
  },
);
