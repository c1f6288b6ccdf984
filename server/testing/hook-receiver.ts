import { afterAll } from "vitest";
import { type HookReceiver, openHookReceiver } from "./open-hook-receiver";

export { goodReceiver, type HookReceiver, type HookRequest, isSigned } from "./open-hook-receiver";

export async function hookReceiver(): Promise<HookReceiver> {
  const receiver = await openHookReceiver();
  afterAll(() => receiver.close());
  return receiver;
}
