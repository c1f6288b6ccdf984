import { expect, test } from "vitest";
import { defineEndpoint } from "./endpoint";
import { compileRouter } from "./router";

const at = (method: "GET" | "POST" | "DELETE", path: string, alias?: string) =>
  defineEndpoint({
    method,
    path,
    alias,
    title: `${method} ${path}`,
    did: "Tried",
    description: "",
    tag: "Test",
    scopes: [],
    fails: [],
    handle: () => {},
  });

const names = at("GET", "/faction/crime/names");
const members = at("GET", "/<int:faction_id>/members", "/faction/<int:faction_id>/members");
const create = at("POST", "/faction/<int:faction_id>/banking");
const list = at("GET", "/faction/<int:faction_id>/banking");
const cancel = at("DELETE", "/faction/<int:faction_id>/banking/<request_id>");
const text = at("GET", "/faction/<word>/names");
const find = compileRouter([names, members, create, list, cancel, text], "/api/v1");

test("a path leads to its endpoint with its parameters", () => {
  expect(find("/api/v1/faction/crime/names")?.route.methods.get("GET")).toBe(names);
  expect(find("/api/v1/7/members")).toMatchObject({ params: { faction_id: 7 } });
  expect(find("/api/v1/faction/7/members")?.route.methods.get("GET")).toBe(members);
  expect(find("/api/v1/faction/7/banking/a%20b")?.params).toEqual({
    faction_id: 7,
    request_id: "a b",
  });
});

test("fixed text wins over a parameter, whatever the order of the table", () => {
  expect(find("/api/v1/faction/crime/names")?.params).toEqual({});
  expect(find("/api/v1/faction/other/names")?.params).toEqual({ word: "other" });
});

test("one path may have several methods, and Allow names them", () => {
  expect(find("/api/v1/faction/7/banking")?.route.allow).toBe("POST, GET, HEAD, OPTIONS");
  expect(find("/api/v1/faction/7/banking")?.route.template).toBe(
    "/api/v1/faction/<int:faction_id>/banking",
  );
});

test.each([
  "/api",
  "/api/",
  "/api/v1",
  "/api/v1/",
  "/api/v2/7/members",
  "/api/v1/faction",
  "/api/v1/faction/",
  "/api/v1/7/members/",
  "/api/v1//7/members",
  "/api/v1/7//members",
  "/API/v1/7/members",
  "/api/v1/7/Members",
  "/api/v1/abc/members",
  "/api/v1/07/members",
  "/api/v1/faction/7/banking/",
  "/api/v1/faction/7/banking/%zz",
  "/api/v1x/7/members",
])("%s is no endpoint (ER-01, ER-08)", (path) => expect(find(path)).toBeUndefined());

test("two endpoints of one method cannot claim one path", () => {
  expect(() => compileRouter([names, at("GET", "/faction/crime/names")], "")).toThrow(
    "stands twice",
  );
});
