import type { Instrumentation } from "next";

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { guardNextServer } = await import("./server/front/guard-next-server");
  guardNextServer();
}

/** Next calls this with a page's error before the answer. */
export const onRequestError: Instrumentation.onRequestError = async (error, { headers }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ noteTemporaryFault }, { peekContext: heldContext }, { internalRequestIdHeader }] =
    await Promise.all([
      import("./server/front/refuse-faults"),
      import("./server/context"),
      import("./server/platform/peer-address"),
    ]);
  const context = await heldContext()?.catch(() => undefined);
  const requestId = headers[internalRequestIdHeader];
  if (context && typeof requestId === "string") noteTemporaryFault(context, error, requestId);
};
