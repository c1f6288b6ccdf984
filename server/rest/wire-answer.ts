/** An answer on its way out, before the headers that every answer carries. */
export interface WireAnswer {
  readonly status: number;
  /** What this answer says beyond the constant headers; may override them. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or null for an answer without a body. */
  readonly body: string | null;
  /** The catalogue's code, where it is a failure. */
  readonly failureCode: number | null;
}
