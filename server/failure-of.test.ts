import { expect, test } from "vitest";
import { failureOfGame } from "./failure-of";
import { gameCallError } from "./game/game-call-error";

test.each([
  ["timeout", undefined, 4101, 504],
  ["network", undefined, 4101, 503],
  ["server-side", 17, 4101, 503],
  ["ip-block", 8, 4101, 503],
  ["owner-budget", 5, 4101, 503],
  ["key-dead", 2, 4100, 502],
  ["access-level", 16, 4100, 502],
  ["unknown-id", 6, 4100, 502],
  ["our-bug", 4, 4100, 502],
  ["unexpected-answer", undefined, 4100, 502],
] as const)(
  "mistake 23, which swapped the two: %s (game code %s) is %i with status %i",
  (kind, gameCode, code, status) => {
    const failure = failureOfGame(
      gameCallError({ kind, gameCode, detail: "user/1/profile", retryAfter: 7 }),
    );
    expect(failure.kind).toMatchObject({ code, status });
    expect(failure.details?.game_code).toBe(gameCode);
    expect(failure.retryAfter).toBe(7);
  },
);

test.each([
  ["owner-budget", "key_budget"],
  ["ip-block", "address_budget"],
  ["daily-limit", "read_limit"],
  ["key-just-changed", "key_changed"],
  ["server-side", undefined],
  ["network", undefined],
] as const)(
  "a caller can tell a limit that is reached from a game that is away: %s",
  (kind, reason) => {
    const { details, message } = failureOfGame(gameCallError({ kind, detail: "faction" }));
    expect(details?.reason).toBe(reason);
    expect(message === "The game's API is not available.").toBe(reason === undefined);
  },
);
