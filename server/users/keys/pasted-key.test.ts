import { expect, test } from "vitest";
import { cleanPastedKey } from "./own-keys";

const key = "AbCdEfGh01234567";

test.each([
  key,
  ` ${key}\n`,
  `\u200b${key}\u200b`,
  `AbCdEfGh\u00ad01234567`,
  `\ufeff${key}`,
  `"${key}"`,
  `'${key}'`,
  `“${key}”`,
  `\`${key}\``,
  `\`\`\`\n${key}\n\`\`\``,
  `key=${key}`,
  `KEY: ${key}`,
  `?key=${key}&comment=x`,
  `"key=${key}"`,
  `key="${key}"`,
  `https://api.torn.com/v2/user?selections=profile&key=${key}`,
])("%j is the key within", (pasted) => {
  expect(cleanPastedKey(pasted)).toBe(key);
});

test.each(["AbCdEfGh 01234567", "AbCdEfGh", "keyAbCdEfGh01234", "AbCd-fGh01234567"])(
  "%j stays as it is",
  (typed) => {
    expect(cleanPastedKey(typed)).toBe(typed);
  },
);
