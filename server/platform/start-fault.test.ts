import { expect, test } from "vitest";
import { describeStartFault, wrongSetting } from "./start-fault";

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

test.each([
  [wrongSetting("PORT is wrong."), "PORT is wrong."],
  [
    coded("EEXIST: file already exists, mkdir '/etc/hosts'", "EEXIST"),
    /^DATA_DIR is wrong: EEXIST/,
  ],
  [
    new Error("Failed query", { cause: coded('database "x" does not exist', "3D000") }),
    /^DATABASE_URL is wrong: database/,
  ],
  [
    new Error("Failed query", { cause: coded("certificate has expired", "CERT_HAS_EXPIRED") }),
    /^DATABASE_URL is wrong: /,
  ],
])("who starts it reads one sentence about %s", (error, sentence) => {
  expect(describeStartFault(error)).toMatch(sentence);
});

test("a fault of our own has no plain sentence", () => {
  expect(describeStartFault(new TypeError("x is undefined"))).toBeUndefined();
  expect(describeStartFault("text")).toBeUndefined();
});
