/** One call, as the request log keeps it. */
export interface RequestLogLine {
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  /** The route's template, never the address as sent; "unmatched" where there was none. */
  readonly route: string;
  readonly status: number;
  readonly failureCode: number | null;
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  /** How long the answer took. */
  readonly micros: number;
}
