import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, test } from "vitest";
import { endpointNetwork } from "#server/testing/endpoint-network";
import { plainAnswer } from "#server/testing/raw-receiver";

const { dns, receiver, network, send } = await endpointNetwork();

beforeEach(() => {
  dns.answer(() => ["127.0.0.1"]);
});

describe("an attempt that we end", () => {
  /** Aborts at the given step. */
  const endedWhen = async (
    arrange: (end: () => void) => Parameters<typeof send>[0] | undefined,
    changes?: Parameters<typeof send>[1],
  ) => {
    const controller = new AbortController();
    const outgoing = arrange(() => controller.abort());
    return send({ signal: controller.signal, ...outgoing }, changes);
  };
  const aborted = { failure: "aborted", code: null };

  test("before it begins asks and connects to nobody", async () => {
    const signal = AbortSignal.abort();
    expect(await send({ signal })).toMatchObject(aborted);
    expect(dns.questions()).toEqual([]);
  });

  test("while the name is resolved connects to nobody", async () => {
    receiver.behave(() => {});
    const attempt = await endedWhen((end) => {
      dns.answer(() => {
        end();
        return "silence";
      });
      return undefined;
    });
    expect(attempt).toMatchObject(aborted);
    expect(receiver.connections()).toBe(0);
  });

  test("while the connection is made writes nothing", async () => {
    receiver.behave(() => {});
    let end = () => {};
    const connecting: typeof network.connect = (to) =>
      network.connect(to).once("connect", () => end());
    const attempt = await endedWhen(
      (now) => {
        end = now;
        return undefined;
      },
      { network: { connect: connecting } },
    );
    expect(attempt).toMatchObject(aborted);
    await receiver.idle();
    expect(receiver.requests()).toEqual([]);
  });

  test("while the consent is asked for writes nothing", async () => {
    receiver.behave(() => {});
    const attempt = await endedWhen((end) => ({
      headers: async () => {
        end();
        return {};
      },
    }));
    expect(attempt).toMatchObject(aborted);
    await receiver.idle();
    expect(receiver.requests()).toEqual([]);
  });

  test("while the receiver thinks cuts the connection", async () => {
    const attempt = await endedWhen((end) => {
      receiver.behave(() => end());
      return undefined;
    });
    expect(attempt).toMatchObject(aborted);
    await receiver.idle();
  });

  test("a signal that ends a hundred attempts at once ends each of them, and warns of nothing", async () => {
    const controller = new AbortController();
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    let arrived = 0;
    receiver.behave(() => {
      arrived++;
      if (arrived === 100) controller.abort();
    });
    // Only the signal may end them, even on a busy machine.
    const limits = { total: 600_000, dns: 600_000, connect: 600_000 };
    const { signal } = controller;
    const attempts = await Promise.all(
      Array.from({ length: 100 }, () => send({ signal }, { limits })),
    );
    for (const attempt of attempts) expect(attempt).toMatchObject(aborted);
    await receiver.idle();
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  test("lets go of the signal that could have ended it, however it went", async () => {
    const { signal } = new AbortController();
    receiver.behave((socket) => socket.end(plainAnswer));
    expect(await send({ signal })).toMatchObject({ status: 200 });
    dns.answer(() => "no such name");
    expect(await send({ signal })).toMatchObject({ failure: "dns" });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("because its headers could not be made throws that, and closes the connection", async () => {
    receiver.behave(() => {});
    const headers = () => Promise.reject(new Error("the database is away"));
    await expect(send({ headers })).rejects.toThrow("the database is away");
    await receiver.idle();
    expect(receiver.requests()).toEqual([]);
  });
});
