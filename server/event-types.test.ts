import { describe, expect, test } from "vitest";
import { z } from "zod";
import { eventTypePattern } from "./event-log/event-type";
import { eventTypes, eventWordsOf } from "./event-types";
import { EventQuery } from "./events/endpoints/list-events";
import { audienceOf, eventSchemaName, exampleEvent, zodSchemaOf } from "./events/event-documents";
import { apiPrefix } from "./machine-path";
import { type JsonSchema, jsonSchemaOf, type NamedSchemas } from "./rest/json-schema";
import { compileRouter } from "./rest/router";
import { routes } from "./routes";
import { scopeNames } from "./scopes";
import { choosableTypes, EndpointInput } from "./webhooks/contract";

/** Generated from the list of event types. */
const baseUrl = "https://adjutant.example";
const find = compileRouter(routes, apiPrefix);
const mostBytes = 2_000;

test("as a filter the list and the stream take every name that a type may get, and all types at once", () => {
  const filter = (types: string) => EventQuery.safeParse({ types }).data?.types;
  for (const name of ["ping", "war.2v2_started", "faction.crime.delayed", "7_days.over"])
    expect(filter(name)).toEqual([name]);
  for (const name of ["", ".a", "a.", "a..b", "A.b", "a-b", "a.*", "a b"])
    expect(filter(name)).toBeUndefined();
  const names = eventTypes.map(({ type }) => type);
  expect(filter(names.join(","))).toEqual(names);
  expect(
    EndpointInput.safeParse({ url: "https://hooks.example.com/", types: choosableTypes }),
  ).toMatchObject({
    success: true,
  });
});

/** The fields of a record, or of the records in a list or map. */
function fieldsOf(schema: z.ZodType): string[] {
  const named: NamedSchemas = new Map();
  const resolve = ({ $ref, items, additionalProperties, ...own }: JsonSchema): JsonSchema => {
    if (typeof $ref === "string") return resolve(named.get($ref.split("/").at(-1) ?? "") ?? {});
    const within = (items ?? additionalProperties) as JsonSchema | undefined;
    return within ? resolve(within) : own;
  };
  const whole = jsonSchemaOf(schema, named);
  return Object.keys(resolve(whole).properties ?? {});
}

describe.each(eventTypes.map((type) => [type.type, type] as const))("%s", (name, type) => {
  const example = exampleEvent(type, baseUrl);

  test("has a name of the standard's form, which the list of events takes as a filter, and words for people", () => {
    expect(name).toMatch(eventTypePattern);
    expect(EventQuery.safeParse({ types: name })).toMatchObject({ success: true });
    expect(type.title).toMatch(/^[A-Z][a-zA-Z ]+$/);
    expect(type.description).toMatch(/^[A-Z].*\.$/s);
    expect(type.told).toMatch(/^[a-zA-Z].*[a-z)]$/);
  });

  test("has an example that its schema accepts, far below the 20 kB of a webhook", () => {
    const read = zodSchemaOf(type).safeParse(example);
    expect(read).toMatchObject({ success: true });
    expect(read.data).toEqual(example);
    expect(Buffer.byteLength(JSON.stringify(example))).toBeLessThan(mostBytes);
  });

  test("names a scope that exists, and fields that its record has", () => {
    expect([null, ...scopeNames]).toContain(type.scope);
    const route = hrefMatch(example.data.href);
    const schema = type.record?.schema ?? route?.returns;
    if (schema) expect(fieldsOf(schema)).toEqual(expect.arrayContaining([...type.changed]));
    else expect(type.changed).toEqual([]);
  });

  test("leads to a route of the table that takes what is sent, under the event's own scope or none", () => {
    const { href } = example.data;
    if (!type.href) return expect(href).toBeUndefined();
    const route = hrefMatch(href);
    expect(route).toBeDefined();
    const query = Object.fromEntries(new URL(String(href)).searchParams);
    if (route?.query) expect(route.query.safeParse(query)).toMatchObject({ success: true });
    else expect(query).toEqual({});
    for (const scope of route?.scopes ?? []) expect([type.scope, "identity"]).toContain(scope);
    return undefined;
  });

  test("tells ids, times and closed lists of words alone: no amounts, no names, no text of people", () => {
    const fields = Object.entries(type.data.shape as Record<string, z.ZodType>);
    const wordless = fields
      .filter(([field, schema]) => !isClosed(field, schema))
      .map(([field]) => field);
    expect(wordless).toEqual([]);
  });
});

function hrefMatch(href: unknown) {
  if (typeof href !== "string") return undefined;
  return find(new URL(href).pathname)?.route.methods.get("GET");
}

/** Free-form fields without any user's text: log positions, scopes, the minute of a tick. */
const opaque = ["after", "until", "scopes", "tick"];
const isClosed = (field: string, schema: z.ZodType): boolean =>
  opaque.includes(field) || schema instanceof z.ZodEnum || schema instanceof z.ZodBoolean;

test("types, their titles and the names of their schemas are unique", () => {
  for (const of of [
    eventTypes.map(({ type }) => type),
    eventTypes.map(({ title }) => title),
    eventTypes.map(eventSchemaName),
  ])
    expect(new Set(of).size).toBe(of.length);
});

test("a type with a scope is told to members of a faction, one without to the application that it concerns or to all", () => {
  const audiences = new Map(eventTypes.map((type) => [type.type, audienceOf(type)]));
  expect(audiences.get("retaliation.opened")).toBe("faction");
  expect(audiences.get("grant.ended")).toBe("application");
  expect(audiences.get("events.gap")).toBe("endpoint");
  expect(audiences.get("stocks.tick")).toBe("everybody");
});

test("each noun that a scope opens events of is named once", () => {
  expect(eventWordsOf(["faction:attacks"])).toEqual(["retaliations (opened, closed)"]);
  expect(eventWordsOf(["faction:crimes"])).toEqual(["OCs (delayed, resumed)"]);
});

test("the parent tells of all that its parts tell of", () => {
  const whole = eventWordsOf(["faction"]).join();
  for (const part of ["retaliations", "vault requests", "OCs", "members", "positions"])
    expect(whole).toContain(part);
});

test("scopes that open no events say nothing", () => {
  expect(eventWordsOf(["identity", "service_key:usage"])).toEqual([]);
  expect(eventWordsOf([])).toEqual([]);
});
