import { expect, test } from "vitest";
import { describeDeletion } from "./describe-deletion";

const nothing = {
  ...{ connected: 0, applications: 0, handedOver: 0, users: 0 },
  ...{ gameKeys: 0, sessions: 0, payments: 0 },
};

test("what a deletion cuts is said in numbers", () => {
  expect(
    describeDeletion({
      connected: 3,
      applications: 2,
      handedOver: 1,
      users: 5,
      gameKeys: 1,
      sessions: 1,
      payments: 2,
    }),
  ).toEqual([
    "3 applications lose access to your data.",
    "2 applications of yours stop working for 5 other players.",
    "1 application of yours goes to the longest-standing developer of the team, or viewer if there is none.",
    "1 game key is forgotten here.",
    "You are signed out in 1 browser.",
    "2 requests to the vault are cancelled.",
    "Your battle stats, notices, chat link, second factor and pending consent requests are deleted.",
  ]);
});

test("what there is none of is not mentioned", () => {
  expect(describeDeletion(nothing)).toHaveLength(1);
  expect(describeDeletion({ ...nothing, applications: 1 })[0]).toBe(
    "1 application of yours stops working.",
  );
  expect(describeDeletion({ ...nothing, connected: 1 })[0]).toBe(
    "1 application loses access to your data.",
  );
});
