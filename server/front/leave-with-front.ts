/**
 * For the process of the pages. The front says when it ends, by the channel between them: a signal to all processes of the service
 * finds its last pages under way. Until `serve` is called nothing is under way, and the process ends at once when the front does.
 * @returns `serve` resolves when the front has left
 */
export function leaveWithFront(): { serve(): Promise<void> } {
  let serving = false;
  process.on("SIGTERM", () => {}).on("SIGINT", () => {});
  const left = new Promise<void>((resolve) => {
    const leave = () => (serving ? resolve() : process.exit(0));
    process.once("disconnect", leave);
  });
  return {
    serve: () => {
      serving = true;
      return process.connected ? left : Promise.resolve();
    },
  };
}
