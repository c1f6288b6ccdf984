import { describe, expect, test } from "vitest";
import { parseForm, readForm } from "./form-endpoint";
import { isOAuthError } from "./oauth-error";

describe("the parameters of a body", () => {
  test("an empty one counts as absent", () => {
    expect([...parseForm("a=1&b=&c&=x&d=%2B+%26")]).toEqual([
      ["a", "1"],
      ["", "x"],
      ["d", "+ &"],
    ]);
  });

  test("TK-20: none may repeat, not even as empty text, and none may be an array", () => {
    for (const text of ["a=1&a=1", "a=1&a=2", "a=&a=1", "a[]=1", "a[0]=1", "a%5B%5D=1"])
      expect(() => parseForm(text)).toThrow();
  });

  test("FZ-07: names of the language's own find nothing", () => {
    const form = parseForm("__proto__=x&constructor=y");
    expect([
      form.get("toString"),
      form.get("__proto__"),
      ({} as Record<string, unknown>).x,
    ]).toEqual([undefined, "x", undefined]);
  });

  test("bytes that are no text do no harm", () => {
    expect(parseForm("code=%FF%FE%zz").get("code")).toContain("%zz");
  });
});

test("a body is read as far as 16 KB, announced or not", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const read = (body: string, more: Record<string, string> = {}) =>
    readForm(
      new Request("http://any.host/", { method: "POST", body, headers: { ...headers, ...more } }),
    );
  expect((await read("a=1")).get("a")).toBe("1");
  expect((await read(`a=${"x".repeat(16_382)}`)).get("a")).toHaveLength(16_382);
  const status = (thrown: unknown) => isOAuthError(thrown) && thrown.status;
  await expect(read(`a=${"x".repeat(16_383)}`).catch(status)).resolves.toBe(413);
  await expect(read("a=1", { "content-length": "16385" }).catch(status)).resolves.toBe(413);
});

test("a body that says it is packed is not read as if it were plain", async () => {
  const read = (coding: string) => {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "content-encoding": coding,
    };
    return readForm(new Request("http://any.host/", { method: "POST", body: "a=1", headers }));
  };
  expect((await read("Identity")).get("a")).toBe("1");
  for (const coding of ["gzip", "br", "gzip, identity"])
    await expect(
      read(coding).catch((thrown) => isOAuthError(thrown) && thrown.status),
    ).resolves.toBe(415);
});

test("a body whose sender goes away is the sender's fault", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const lengths: Record<string, string>[] = [{}, { "content-length": "50" }];
  for (const announced of lengths) {
    const body = new ReadableStream({
      pull: (controller) =>
        controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
    });
    const request = new Request("http://any.host/", {
      method: "POST",
      body,
      headers: { ...headers, ...announced },
      ...{ duplex: "half" },
    });
    await expect(readForm(request).catch(isOAuthError)).resolves.toBe(true);
  }
});
