import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { collectLimited, decodeUtf8, readLimitedBytes, readLimitedText } from "./limited-text";

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request("http://x.test/", { method: "POST", body, headers, duplex: "half" } as RequestInit);

const endless = (onPull: () => void) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      onPull();
      controller.enqueue(new Uint8Array(10));
    },
  });

test("a body up to the limit is read whole", async () => {
  expect(await readLimitedText(post("é".repeat(50)), 100)).toBe("é".repeat(50));
  expect(await readLimitedText(post(null), 100)).toBe("");
});

test("a larger body is refused", async () => {
  expect(await readLimitedText(post("é".repeat(51)), 100)).toBeUndefined();
});

test("a body that announces too much is not read at all", async () => {
  let pulls = 0;
  const announced = post(
    endless(() => pulls++),
    { "content-length": "101" },
  );
  expect(await readLimitedText(announced, 100)).toBeUndefined();
  // The stream fills its own queue once, even without a reader.
  expect(pulls).toBeLessThanOrEqual(1);
});

test("an endless body is left at the limit", async () => {
  let pulls = 0;
  expect(await readLimitedText(post(endless(() => pulls++)), 100)).toBeUndefined();
  expect(pulls).toBeLessThan(20);
});

test("a refusal at the first byte ends the reading, and leaves the body", async () => {
  let left = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => {
      left = true;
    },
  });
  const refuse = () => {
    throw new Error("not wanted");
  };
  await expect(readLimitedBytes(body, 100, refuse)).rejects.toThrow("not wanted");
  expect(left).toBe(true);
});

test("bytes that are not UTF-8 are no text", () => {
  expect(decodeUtf8(Buffer.from("é"))).toBe("é");
  expect(decodeUtf8(new Uint8Array([0xff]))).toBeUndefined();
});

test("a Node stream is collected up to the limit, and its rest is let through", async () => {
  const [short, long] = [new PassThrough(), new PassThrough()];
  short.write("é".repeat(25));
  short.end("é".repeat(25));
  expect((await collectLimited(short, 100))?.toString()).toBe("é".repeat(50));
  const collected = collectLimited(long, 100);
  long.write("x".repeat(100));
  long.write("x");
  expect(await collected).toBeUndefined();
  const ended = new Promise((resolve) => long.once("end", resolve));
  long.end("x".repeat(100_000));
  await ended;
});

test("a Node stream that breaks off is no whole text", async () => {
  const [lost, failed] = [new PassThrough(), new PassThrough()];
  const collected = [lost, failed].map((stream) => collectLimited(stream, 100));
  lost.write("half of it");
  lost.destroy();
  failed.destroy(new Error("reset"));
  await expect(collected[0]).rejects.toThrow("closed before its end");
  await expect(collected[1]).rejects.toThrow("reset");
});
