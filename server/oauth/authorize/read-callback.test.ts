import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { mintSecret } from "#server/platform/secret-text";
import { readCallback } from "./read-callback";

const iss = "https://adjutant.test";
const code = mintSecret("code", (count) => randomBytes(count));
const sent = { code: undefined, state: "af0ifjsldkj", iss, error: undefined };

test("a code of ours is shown with an opaque state", () => {
  expect(readCallback({ ...sent, code }, iss)).toEqual({
    outcome: { kind: "code", code },
    state: "af0ifjsldkj",
  });
});

test.each(["access_denied", "invalid_scope", "server_error", "login_required"])(
  "%s is known",
  (error) => {
    expect(readCallback({ ...sent, error }, iss).outcome).toEqual({ kind: "refused", error });
  },
);

test.each([
  "",
  "Call 555-0199 to unlock your account",
  "access_denied ",
  "ACCESS_DENIED",
  "constructor",
  "<b>",
])("the error %j is not repeated", (error) => {
  expect(readCallback({ ...sent, error }, iss).outcome).toEqual({
    kind: "refused",
    error: "other",
  });
});

test.each([
  "adj_ac_example",
  `${code}0`,
  code.replace(/.$/, "!"),
  "Your account is locked, call us",
  mintSecret("access", (count) => randomBytes(count)),
  "",
])("%j is no code, and is not shown", (other) => {
  expect(readCallback({ ...sent, code: other }, iss)).toEqual({
    outcome: { kind: "nothing" },
    state: null,
  });
});

test.each(["call us now", "x".repeat(257), "\u202Eabc", "<script>", "ünï", "a\nb", ""])(
  "the state %j is not shown",
  (state) => {
    expect(readCallback({ ...sent, state, code }, iss).state).toBeNull();
  },
);

test.each([undefined, "https://other.test", `${iss}/`])(
  "an answer whose iss is %j is none of ours",
  (other) => {
    const nothing = { outcome: { kind: "nothing" }, state: null };
    expect(readCallback({ ...sent, iss: other, code }, iss)).toEqual(nothing);
    expect(readCallback({ ...sent, iss: other, error: "access_denied" }, iss)).toEqual(nothing);
  },
);
