import { expect, test } from "vitest";
import { processorTime } from "#server/testing/processor-time";
import { parsePaymentNews } from "./verify-payments";

const at = new Date("2026-03-01T12:00:00Z");
const link = (id: number, name: string) =>
  `<a href="https://game.test/profiles.php?XID=${id}">${name}</a>`;
const read = (text: string) => parsePaymentNews({ newsId: "n1", text, at });
const cleo = link(1003, "Cleo_Marsh");
const bruno = link(1002, "Bruno_Vault");

test("a line of money, and one of points, are read in full", () => {
  const payment = { newsId: "n1", at, to: 1003, by: 1002 };
  expect(read(`${cleo} was given $1,234,567 by ${bruno}`)).toEqual({
    ...payment,
    amount: 1_234_567,
    currency: "money_balance",
  });
  expect(read(`${cleo} was given 1,234 points by ${bruno}.`)).toEqual({
    ...payment,
    amount: 1_234,
    currency: "points_balance",
  });
});

test("the game's own markup is read: blanks around the sign, plain http, tags within a name, a full stop", () => {
  const own = (id: number, name: string) =>
    `<a href = "http://www.torn.com/profiles.php?XID=${id}">${name}</a>`;
  expect(
    read(`${own(1003, "<b>Cleo</b>_Marsh")} was given $1,234 by ${own(1002, "Bruno")}.`),
  ).toMatchObject({
    to: 1003,
    by: 1002,
    amount: 1_234,
  });
});

test("who was paid is the one right before the words, whatever other names the line has", () => {
  expect(read(`${link(7, "Ada")} and ${cleo} was given $5 by ${bruno}`)).toMatchObject({
    to: 1003,
  });
});

test("a payday is no proof of a withdrawal, and no unknown line either", () => {
  expect(
    read(`${cleo} was paid $1,500 for a total of $90,000 from the faction by ${bruno}`),
  ).toBeNull();
});

test.each([
  `${bruno} increased ${cleo}'s money balance by $1,500 from $0 to $1,500`,
  `${bruno} added $1,500 to the balance of ${cleo}`,
])(
  "%j adjusts a balance, which is no proof of a withdrawal, and no unknown line either",
  (text) => {
    expect(read(text)).toBeNull();
  },
);

test.each([
  "",
  `${cleo} was given $1,234,567`,
  `${cleo} deposited $1,234,567`,
  `${cleo} was given 1,234 by ${bruno}`,
  `${cleo} was given $1,234 points by ${bruno}`,
  `${cleo} was given $99,999,999,999,999,999 by ${bruno}`,
  `${cleo} was given $ by ${bruno}`,
  `Cleo_Marsh was given $5 by Bruno_Vault`,
  `${cleo} was given 5x Xanax by ${bruno}`,
])("%j tells of no payment", (text) => {
  expect(read(text)).toBeUndefined();
});

test("a hostile line costs no time", () => {
  const line = `XID=1${">".repeat(50_000)}${"</a> was given $1".repeat(3_000)}`;
  expect(read(line)).toBeUndefined();
  expect(processorTime(() => read(line))).toBeLessThan(100);
});
