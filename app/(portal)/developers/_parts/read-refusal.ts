/** What a page can make of a procedure's error. */
export interface Refused {
  /** A sentence to show. */
  readonly message: string;
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** What the act wants before it is tried again. */
  readonly wants: "sign-in" | "confirmation" | null;
  /** Somebody changed the same thing since the page was opened. */
  readonly outdated: boolean;
}

const unreachable = "Adjutant could not be reached. Check the connection and try again.";

interface PortalError {
  readonly message: string;
  readonly data?: {
    readonly code?: string;
    readonly reason?: string;
    readonly fields?: Refused["fields"];
  } | null;
}

/** Reads what a mutation threw. An error without the server's data never reached it. */
export function readRefusal(thrown: unknown): Refused {
  const { message, data } = thrown as PortalError;
  return {
    message: data ? message : unreachable,
    fields: data?.fields ?? [],
    wants: data?.reason === "CONFIRMATION_WANTED" ? "confirmation" : data?.code === "UNAUTHORIZED" ? "sign-in" : null,
    outdated: data?.reason === "APPLICATION_CHANGED",
  };
}
