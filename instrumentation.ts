/** Called by Next once, when its server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { guardPlatform } = await import("./server/front/guard-platform");
  guardPlatform();
}
