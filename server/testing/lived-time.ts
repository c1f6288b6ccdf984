const stepMs = 10;

/**
 * Milliseconds that this process has lived through since the call, and stops counting. Time in which a busy machine let it
 * stand still counts as one step: a promise such as "within a second" is about what the product waits for, not about how many
 * others want the processor.
 */
export function livedTime(): () => number {
  let lived = 0;
  const timer = setInterval(() => {
    lived += stepMs;
  }, stepMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return lived;
  };
}
