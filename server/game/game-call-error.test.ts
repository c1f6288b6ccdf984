import { expect, test } from "vitest";
import {
  type GameCallErrorKind,
  gameCallError,
  isGameCallError,
  kindOfGameCode,
} from "./game-call-error";

/** By the table of error classes in the game's own documentation, in order of the code. */
const expected: GameCallErrorKind[] = [
  "server-side",
  "key-dead",
  "key-dead",
  "our-bug",
  "our-bug",
  "owner-budget",
  "unknown-id",
  "private-selection",
  "ip-block",
  "server-side",
  "owner-unavailable",
  "key-just-changed",
  "server-side",
  "owner-unavailable",
  "daily-limit",
  "server-side",
  "access-level",
  "server-side",
  "key-paused",
  "not-migrated",
  "our-bug",
  "our-bug",
  "our-bug",
  "our-bug",
  "server-side",
  "our-bug",
  "our-bug",
  "not-migrated",
  "our-bug",
  "our-bug",
  "our-bug",
];

test.each(expected.map((kind, code) => ({ code, kind })))(
  "mistake 27: code $code of the game means $kind, as its documentation numbers it",
  ({ code, kind }) => {
    expect(kindOfGameCode(code)).toBe(kind);
  },
);

test.each([-1, 31, 99, 1.5])(
  "the undocumented code %d is an unexpected answer, not a dead key",
  (code) => {
    expect(kindOfGameCode(code)).toBe("unexpected-answer");
  },
);

test("a game error is told apart by its brand, in whichever copy of the module it was made", () => {
  const elsewhere = {
    [Symbol.for("adjutant.UpstreamError")]: true,
    upstream: "game",
    kind: "timeout",
  };
  expect(isGameCallError(gameCallError({ kind: "timeout", detail: "key/info" }))).toBe(true);
  expect(isGameCallError(elsewhere)).toBe(true);
  for (const other of [new Error("timeout"), { kind: "timeout" }, null, undefined, "timeout"])
    expect(isGameCallError(other)).toBe(false);
});
