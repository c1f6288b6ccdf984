import { expect, test } from "vitest";
import { type ProcedureError, refusalSentence, wantedProof } from "./refusal";

const refused = (data: Partial<NonNullable<ProcedureError["data"]>> | undefined): ProcedureError =>
  Object.assign(new Error("What the server said."), { data }) as unknown as ProcedureError;
const confirmation = refused({ code: "FORBIDDEN", reason: "CONFIRMATION_WANTED" });

test("an act that wants a confirmation, or a sign-in, says which", () => {
  expect(wantedProof(confirmation)).toBe("confirmation");
  expect(wantedProof(refused({ code: "UNAUTHORIZED" }))).toBe("sign-in");
  expect(wantedProof(refused({ code: "CONFLICT" }))).toBeNull();
});

test("a call that never reached the server says so, instead of what the browser calls it", () => {
  expect(refusalSentence(refused({ code: "CONFLICT" }))).toBe("What the server said.");
  expect(refusalSentence(refused(undefined))).toMatch(/could not be reached/);
});
