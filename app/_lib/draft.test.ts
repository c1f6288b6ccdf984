import { expect, test } from "vitest";
import { draftLine, draftOf, draftOwner, newApplicationDraft, readDraft } from "./draft";

test("a draft is read as it was typed, and needs no quoting in a cookie", () => {
  const typed = [
    ["name", `Über; "quoted", a=b&c`],
    ["redirectUris", "https://a.test/cb\nhttps://b.test/cb"],
  ] as const;
  const draft = draftOf(typed);
  expect(draft).toMatch(/^[\w.*+%&=-]+$/);
  expect([...new URLSearchParams(draft)]).toEqual(typed);
});

test("what does not fit into a cookie is left out, and what matters more is kept", () => {
  const draft = draftOf([
    ["name", "Short"],
    ["redirectUris", "é".repeat(2_000)],
  ]);
  expect(draft).toBe("name=Short");
});

test("a draft goes to its page alone, for a week, and is dropped when there is none", () => {
  expect(draftLine(newApplicationDraft, "name=a", true)).toBe(
    "adjutant_new_application=name=a; Path=/developers/new; Max-Age=604800; SameSite=Lax; Secure",
  );
  expect(draftLine(newApplicationDraft, "", false)).toContain("Max-Age=0");
});

test("a draft is shown to the player who typed it, and to nobody who signs in next at the browser", () => {
  const draft = draftOf([
    [draftOwner, "12"],
    ["name", "Secret project"],
  ]);
  const cookies = `a=b; ${newApplicationDraft.cookie}=${draft}`;
  expect(readDraft(cookies, newApplicationDraft, 12)).toBe(draft);
  expect(readDraft(cookies, newApplicationDraft, 13)).toBeNull();
  expect(readDraft(`${newApplicationDraft.cookie}=name=a`, newApplicationDraft, 12)).toBeNull();
  expect(readDraft(null, newApplicationDraft, 12)).toBeNull();
});
