/**
 * One kind of error. It is recognised by its brand, because two copies of a module live in one
 * process.
 */
export interface ErrorKind<Fields extends object> {
  /** An error, ready to be thrown. Its name is the kind's, where the fields bring none. */
  create(
    message: string,
    fields: Fields & { readonly name?: string },
    cause?: unknown,
  ): Error & Fields;
  is(thrown: unknown): thrown is Error & Fields;
}

/**
 * Defines a kind of error. There are four for callers (`ApiFailure`, `OAuthError`, `UpstreamError`,
 * `PortalRefusal`), `StartFault` for an operator, `DatabaseUnavailable` and `NoAnswerInTime`.
 * @param name its brand; `server/architecture.test.ts` lets no two kinds have the same
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

/** An error and what caused it, the outermost first. */
export function causesOf(thrown: unknown): object[] {
  const causes: object[] = [];
  let error = thrown;
  while (causes.length < deepestCause && typeof error === "object" && error !== null) {
    causes.push(error);
    error = "cause" in error ? error.cause : undefined;
  }
  return causes;
}

/** Their codes: those of PostgreSQL, of its driver, of the system and our own. */
export const errorCodes = (thrown: unknown): string[] =>
  causesOf(thrown).flatMap((error) =>
    "code" in error && typeof error.code === "string" ? [error.code] : [],
  );

/**
 * An error for the log: names, codes and frames. The message of a failed query is left out, because some quote parameters.
 * `errorCode`, because the log cuts every `code`, which may be an authorization code.
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

/** The stack without its first lines, which repeat the message. */
function frames(stack: unknown): string[] | undefined {
  if (typeof stack !== "string") return undefined;
  const lines = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return lines.length > 0 ? lines.slice(0, 12).map((line) => line.trim()) : undefined;
}
