import type { Instrumentation } from "next";

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { guardPlatform } = await import("./server/front/guard-platform");
  guardPlatform();
}

/** Next calls this with a page's error, before it answers. */
export const onRequestError: Instrumentation.onRequestError = async (error, { headers }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ noteFault }, { heldContext }, { internalRequestHeader }] = await Promise.all([
    import("./server/front/refuse-faults"),
    import("./server/context"),
    import("./server/platform/peer-address"),
  ]);
  const context = await heldContext()?.catch(() => undefined);
  const requestId = headers[internalRequestHeader];
  if (context && typeof requestId === "string") noteFault(context, error, requestId);
};
