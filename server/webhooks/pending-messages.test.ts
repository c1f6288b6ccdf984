import { expect, test } from "vitest";
import { createPendingMessages } from "./pending-messages";

const message = (seq: number, playerId: number, isStored = false) => ({
  ...{ messageId: `evt_${seq}_${playerId}`, seq, playerId, type: "retaliation.opened", body: "{}" },
  ...{ attempts: 0, firstAttemptAt: undefined, isStored },
});

test("between events nothing is repeated by who reads on from the position; amid one its other players come again", () => {
  const pending = createPendingMessages(9);
  const [first, second, third, stored] = [
    message(10, 1),
    message(10, 2),
    message(11, 1),
    message(3, 1, true),
  ];
  pending.add([first, second, third, stored]);
  pending.readTo(11);
  expect(pending.isBetweenEvents()).toBe(true);
  pending.finish(pending.begin(first), false);
  expect([pending.isBetweenEvents(), pending.position(), pending.isDone(first)]).toEqual([
    false,
    9,
    true,
  ]);
  pending.finish(pending.begin(second), false);
  expect([pending.isBetweenEvents(), pending.position()]).toEqual([true, 10]);
  pending.finish(pending.begin(third), false);
  expect([pending.isBetweenEvents(), pending.position()]).toEqual([true, 11]);
});
