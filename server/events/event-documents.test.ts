import { expect, test } from "vitest";
import { asyncApiText, openApiText } from "../answer";
import { eventTypes } from "../event-types";
import { currentVersion } from "../webhooks/contract";
import { eventSchemaName, webhookHeaders } from "./event-documents";

const baseUrl = "https://adjutant.example";
const openApi = JSON.parse(openApiText(baseUrl));
const asyncApi = JSON.parse(asyncApiText(baseUrl));
const names = eventTypes.map(({ type }) => type);

/** Every internal reference of the document with its target. */
function references(document: unknown): [place: string, target: unknown][] {
  const places = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, place = ""]) => place),
  );
  return [...places].map((place) => {
    const steps = place.slice(2).split("/");
    return [
      place,
      steps.reduce<unknown>(
        (at, step) => (at as Record<string, unknown> | undefined)?.[step],
        document,
      ),
    ];
  });
}

test("the OpenAPI document has a webhook for each type, with its headers, its schema and the answers that count", () => {
  expect(Object.keys(openApi.webhooks)).toEqual(names);
  for (const type of eventTypes) {
    const { parameters, requestBody, responses } = openApi.webhooks[type.type].post;
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
      "webhook-version",
    ]);
    const { schema, example } = requestBody.content["application/json"];
    expect(schema).toEqual({ $ref: `#/components/schemas/${eventSchemaName(type)}` });
    expect(example).toMatchObject({ type: type.type, data: { subject: { kind: type.subject } } });
    expect(Object.keys(responses)).toEqual(["410", "2XX"]);
  }
});

test("the version in the documents is the one that new endpoints get", () => {
  expect(webhookHeaders["webhook-version"].example).toBe(currentVersion);
});

test("the list of events is described as JSON and as a stream", () => {
  const { content } = openApi.paths["/api/v1/events"].get.responses[200];
  expect(Object.keys(content)).toEqual(["application/json", "text/event-stream"]);
  expect(content["text/event-stream"].example).toMatch(
    /^id: .+\nevent: retaliation\.opened\ndata: \{.*\n\n$/,
  );
});

test("the AsyncAPI document has a message for each type, by webhook and, but for notices of webhooks, in the stream", () => {
  expect(asyncApi.asyncapi).toBe("3.0.0");
  const { stream, webhook } = asyncApi.channels;
  expect(
    Object.values(webhook.messages).map((message) => (message as { name: string }).name),
  ).toEqual(names);
  const streamed = eventTypes.filter(({ type }) => type !== "events.gap").map(eventSchemaName);
  expect(Object.keys(stream.messages)).toEqual(streamed);
  expect(Object.keys(asyncApi.components.messages)).toEqual(eventTypes.map(eventSchemaName));
});

test("every reference in both documents leads somewhere, and in AsyncAPI none has anything beside it", () => {
  for (const document of [openApi, asyncApi])
    expect(references(document).filter(([, target]) => target === undefined)).toEqual([]);
  expect(JSON.stringify(asyncApi)).not.toMatch(/"\$ref":"[^"]+",|[^{]"\$ref"/);
});
