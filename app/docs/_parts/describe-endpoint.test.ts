import { expect, test } from "vitest";
import { routes } from "#server/routes";
import { describeEndpoint, endpointOperation } from "./describe-endpoint";

test.each(routes.map((endpoint) => [endpoint.title, endpoint] as const))(
  "%s can be tried at its own address, with every parameter that it has",
  (_, endpoint) => {
    const operation = endpointOperation(endpoint, "http://localhost");
    const { path, query, body, pathParameters } = describeEndpoint(endpoint, "http://localhost");
    expect(operation).toMatchObject({ method: endpoint.method, scopes: endpoint.scopes });
    expect(operation.path).toBe(path);
    const named = operation.parameters
      .filter(({ in: where }) => where !== "header")
      .map(({ name }) => name);
    expect(named).toEqual([...pathParameters, ...query].map(({ name }) => name));
    expect(operation.body === undefined ? undefined : JSON.parse(operation.body)).toEqual(
      body && JSON.parse(body.example),
    );
  },
);
