/**
 * The platform's fetch, or what stands in for it: the simulator, a test's double. The signal goes beside the request: Node
 * stops to follow the signal of a `Request` that was collected, and then nothing ends the call.
 */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;
