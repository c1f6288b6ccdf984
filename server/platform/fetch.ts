/**
 * The platform's fetch, or what stands in for it: the simulator, a test's double. The signal goes beside the request: Node
 * stops following the signal of a `Request` that was garbage-collected, and then nothing ends the call.
 */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;

/** The code of a failed connection (`ECONNREFUSED`): nothing else of it is logged, since a message may quote the request. */
export function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = [cause, error].map((each) =>
    typeof each === "object" && each !== null && "code" in each ? each.code : undefined,
  );
  return code.find((each) => typeof each === "string") ?? "no connection";
}
