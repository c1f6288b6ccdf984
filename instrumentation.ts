import type { Instrumentation } from "next";

/** Called by Next once, when its server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { guardPlatform } = await import("./server/front/guard-platform");
  guardPlatform();
}

/** Called by Next with what a page threw, before it answers. */
export const onRequestError: Instrumentation.onRequestError = async (error, { headers }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ noteFault, visitHeader }, { getContext }] = await Promise.all([
    import("./server/front/refuse-faults"),
    import("./server/create-context"),
  ]);
  const visit = headers[visitHeader];
  noteFault(await getContext(), error, typeof visit === "string" ? visit : undefined);
};
