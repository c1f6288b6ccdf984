import { expect, test } from "vitest";
import { sentInWords } from "./attempts-table";

test("a developer reads how a refused request was authenticated, and with which parameters", () => {
  const fields = ["grant_type", "code"];
  expect(sentInWords({ authorization: "basic-empty-secret", fields, emptyFields: [] })).toBe(
    "Sent: a Basic header with an empty secret; in the body grant_type, code.",
  );
  expect(sentInWords({ authorization: "none", fields: [], emptyFields: ["client_secret"] })).toBe(
    "Sent: no Authorization header; no known parameter; empty: client_secret.",
  );
  expect(sentInWords({ authorization: null, fields: null, emptyFields: null })).toBeUndefined();
});
