import { expect, test } from "vitest";
import { readRefusal } from "./read-refusal";

const thrown = (data: object | undefined) => Object.assign(new Error("What the server said."), { data });

test("an act that wants a confirmation, or a sign-in, says which", () => {
  expect(readRefusal(thrown({ code: "FORBIDDEN", reason: "CONFIRMATION_WANTED" })).wants).toBe("confirmation");
  expect(readRefusal(thrown({ code: "UNAUTHORIZED" })).wants).toBe("sign-in");
  expect(readRefusal(thrown({ code: "CONFLICT" })).wants).toBeNull();
});

test("fields that the server refused are handed on", () => {
  const fields = [{ field: "name", message: "A name is needed." }];
  expect(readRefusal(thrown({ code: "BAD_REQUEST", fields }))).toMatchObject({
    message: "What the server said.",
    fields,
  });
});

test("a call that never reached the server says so, instead of what the browser calls it", () => {
  expect(readRefusal(new TypeError("Failed to fetch")).message).toMatch(/could not be reached/);
});
