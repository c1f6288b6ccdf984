import { describe, expect, test } from "vitest";
import { processorTime } from "#server/testing/processor-time";
import { AmountText } from "./contract";
import { readAmount } from "./vault-request";

const most = Number.MAX_SAFE_INTEGER;

describe("an amount (FZ-01)", () => {
  test.each<[unknown, number | "all"]>([
    [1, 1],
    [most, most],
    ["1", 1],
    ["007", 7],
    ["all", "all"],
    ["ALL", "all"],
    ["All", "all"],
    ["250000", 250_000],
    ["250,000", 250_000],
    ["1,000", 1_000],
    ["$2,500,000", 2_500_000],
    ["$5", 5],
    ["1m", 1_000_000],
    ["1M", 1_000_000],
    ["100k", 100_000],
    ["1.5k", 1_500],
    ["1.5m", 1_500_000],
    ["$1.5m", 1_500_000],
    ["2.25b", 2_250_000_000],
    ["1,234.5k", 1_234_500],
    ["0.001k", 1],
    ["1.500000000000000000k", 1_500],
    ["0.29b", 290_000_000],
    ["1.1m", 1_100_000],
    ["4.35m", 4_350_000],
    ["9007199254740991", most],
    ["9,007,199,254,740,991", most],
    ["9007199.254740991b", most],
    ["0000000000000000000000000000001", 1],
  ])("%j comes to %j, exactly", (typed, amount) => {
    expect(readAmount(typed)).toBe(amount);
    expect(AmountText.parse(typed)).toBe(amount);
  });

  test.each<[unknown]>([
    [0],
    [-1],
    [1.5],
    [2 ** 53],
    [Number.POSITIVE_INFINITY],
    [Number.NaN],
    [true],
    [false],
    [null],
    [undefined],
    [[]],
    [["all"]],
    [{}],
    [{ toString: () => "1m" }],
    [""],
    [" "],
    [" 1m "],
    ["1m "],
    ["1m\n"],
    ["\t5"],
    ["0"],
    ["0k"],
    ["0.0m"],
    ["000"],
    ["-1"],
    ["-5k"],
    ["+5"],
    ["1.5"],
    ["1.0"],
    ["1.0005k"],
    ["0.0005k"],
    ["1.0000000001b"],
    [".5m"],
    ["1."],
    ["1.m"],
    ["1..5m"],
    ["1.5.5m"],
    ["0x10"],
    ["1e3"],
    ["1E3"],
    ["1e309"],
    ["NaN"],
    ["Infinity"],
    ["１０００"],
    ["١٠٠٠"],
    ["1\u00a0000"],
    ["1 000"],
    ["1_000"],
    ["1,00"],
    ["1,0000"],
    ["1000,000"],
    [",100"],
    ["1,,000"],
    ["1,5m"],
    ["1.000,5k"],
    ["k"],
    ["$"],
    ["$k"],
    ["$$5"],
    ["5$"],
    ["1a2k"],
    ["1kk"],
    ["1km"],
    ["1t"],
    ["1\u212a"],
    ["$all"],
    ["all "],
    ["a11"],
    ["half"],
    ["9007199254740992"],
    ["9007199254740993"],
    ["9223372036854775808"],
    ["9007199.254740992b"],
    ["99999999999999999999999999"],
    ["1\u200b000"],
    ["💰"],
    ["\u202e1m"],
    ["__proto__"],
  ])("%j is refused, and nothing is guessed", (typed) => {
    expect(readAmount(typed)).toBeUndefined();
    expect(AmountText.safeParse(typed).success).toBe(false);
  });

  test.each(["0", "-5k", "1a2k", "k"])(
    "§7 row 41: %j, which once was taken or crashed, is refused",
    (typed) => {
      expect(readAmount(typed)).toBeUndefined();
    },
  );

  test("§7 row 38: an integer is as good as text", () => {
    expect(readAmount(1_000)).toBe(readAmount("1k"));
  });

  test("integers that JSON holds and no amount can are refused, digit for digit", () => {
    for (const integer of [2n ** 53n, 2n ** 63n, -(2n ** 63n)])
      expect(readAmount(integer)).toBeUndefined();
    for (const text of ["1".repeat(60_000), `1.${"0".repeat(60_000)}1b`])
      expect(readAmount(text)).toBeUndefined();
  });

  test("a long text is judged at once", () => {
    const text = `${"1,000".repeat(13_000)}x`;
    expect(readAmount(text)).toBeUndefined();
    expect(processorTime(() => readAmount(text))).toBeLessThan(50);
  });
});
