/** Identified by its brand, because a process may hold two copies of a module. */
export interface ErrorKind<Fields extends object> {
  create(
    message: string,
    fields: Fields & { readonly name?: string },
    cause?: unknown,
  ): Error & Fields;
  is(thrown: unknown): thrown is Error & Fields;
}

/**
 * For callers: `ApiFailure`, `OAuthError`, `UpstreamError`, `PortalRefusal`; else `StartFault`,
 * `DatabaseUnavailable`, `NoAnswerInTime`.
 * @param name unique brand, as `server/architecture.test.ts` checks
 */
export function defineError<Fields extends object>(name: string): ErrorKind<Fields> {
  const brand = Symbol.for(`adjutant.${name}`);
  return {
    create: (message, fields, cause) =>
      Object.assign(new Error(message, cause === undefined ? {} : { cause }), {
        name,
        [brand]: true,
        ...fields,
      }),
    is: (thrown): thrown is Error & Fields =>
      typeof thrown === "object" && thrown !== null && brand in thrown,
  };
}

const deepestCause = 5;

/** Outermost first. */
export function causesOf(thrown: unknown): object[] {
  const causes: object[] = [];
  let error = thrown;
  while (causes.length < deepestCause && typeof error === "object" && error !== null) {
    causes.push(error);
    error = "cause" in error ? error.cause : undefined;
  }
  return causes;
}

/** Of PostgreSQL, its driver, the system, and our own. */
export const errorCodes = (thrown: unknown): string[] =>
  causesOf(thrown).flatMap((error) =>
    "code" in error && typeof error.code === "string" ? [error.code] : [],
  );

/**
 * Names, codes and frames for the log. Messages of failed queries are omitted, because some quote
 * parameters. `errorCode`, because the log removes every `code`, which may be an authorization
 * code.
 */
export function describeError(thrown: unknown): Record<string, unknown> {
  const [first = { name: typeof thrown }, ...rest] = causesOf(thrown).map(describeOne);
  return rest.length > 0 ? { ...first, causes: rest } : first;
}

function describeOne(error: object): Record<string, unknown> {
  const field = (name: string) =>
    name in error ? (error as Record<string, unknown>)[name] : undefined;
  const isQuery = field("query") !== undefined;
  return Object.fromEntries(
    Object.entries({
      name: field("name"),
      errorCode: field("code"),
      constraint: field("constraint") ?? field("constraint_name"),
      table: field("table") ?? field("table_name"),
      query: isQuery ? field("query") : undefined,
      message: isQuery ? undefined : String(field("message") ?? "") || undefined,
      at: frames(field("stack")),
    }).filter(([, value]) => value !== undefined),
  );
}

/** Without the first lines, which repeat the message. */
function frames(stack: unknown): string[] | undefined {
  if (typeof stack !== "string") return undefined;
  const lines = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return lines.length > 0 ? lines.slice(0, 12).map((line) => line.trim()) : undefined;
}
