import { expect, test } from "vitest";
import { isConnectionLost, serializeError } from "./errors";

const coded = (code: string) => Object.assign(new Error("x"), { code });

test.each([
  "CONNECTION_CLOSED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "57P01",
  "57P03",
  "08006",
  "53300",
  "57014",
])("%s means that the database is not there", (code) => {
  expect(isConnectionLost(coded(code))).toBe(true);
  expect(isConnectionLost(new Error("Failed query", { cause: coded(code) }))).toBe(true);
});

test("a missing Unix socket means that the database is not there, and another missing file does not", () => {
  const missing = (syscall: string) => Object.assign(coded("ENOENT"), { syscall });
  expect(isConnectionLost(missing("connect"))).toBe(true);
  expect(isConnectionLost(missing("open"))).toBe(false);
  expect(isConnectionLost(coded("ENOENT"))).toBe(false);
});

test.each([coded("23505"), coded("42601"), new Error("x"), "ECONNREFUSED", null, undefined])(
  "%s does not",
  (thrown) => {
    expect(isConnectionLost(thrown)).toBe(false);
  },
);

test("an error is described without the values of its query", () => {
  const cause = Object.assign(new Error('duplicate key value violates "players"'), {
    code: "23505",
    detail: "Key (id)=(secret-value) already exists.",
    constraint_name: "players_pkey",
  });
  const failed = Object.assign(
    new Error("Failed query: insert … params: secret-value", { cause }),
    {
      query: "insert into players values ($1)",
      params: ["secret-value"],
    },
  );
  const described = serializeError(failed);
  expect(JSON.stringify(described)).not.toContain("secret-value");
  expect(described).toMatchObject({
    query: "insert into players values ($1)",
    causes: [{ errorCode: "23505", constraint: "players_pkey" }],
  });
});
