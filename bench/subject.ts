export interface Subject {
  /** The short name that ratios refer to and the command line selects by. */
  readonly id: string;
  readonly title: string;
  /** For a peer: the subject of ours that does the same work. */
  readonly against?: string;
  /** The subject that makes the same calls with nothing beside them: what it adds to their p99 is what counts. */
  readonly besides?: string;
  /** Whether it is the product itself, so that another installation of it can be measured beside this one. */
  readonly isOurs?: true;
  /**
   * Starts it, or says in one sentence why it must be left out on this machine.
   * @param installation the folder of the product that is measured; others do not look at it
   */
  start(installation: string): Promise<Running | LeftOut>;
}

export interface LeftOut {
  readonly leftOut: string;
}

/** What one round of load showed. */
export interface Round {
  readonly requestsPerSecond: number;
  /** Processor time of the subject's process per request, in microseconds. */
  readonly microseconds: number;
  /** Latencies, in milliseconds; NaN where the load generator does not tell. */
  readonly p50: number;
  readonly p99: number;
  /** Requests that did not do what they should. */
  readonly faults: number;
}

export interface Running {
  readonly url: string;
  /** The measured process; its children count with it. */
  readonly pid: number;
  /** Fewer than the run's, for what takes tens of milliseconds of processor time each: more would only wait. */
  readonly connections?: number;
  /** A wrk script that makes the requests, with its arguments; prepared again before each round. */
  readonly script?: () => Promise<Script>;
  /** Puts load on it for some seconds by other means than wrk. */
  readonly load?: (seconds: number) => Promise<Round>;
  stop(): Promise<void>;
}

export interface Script {
  readonly file: string;
  readonly args: readonly string[];
}
