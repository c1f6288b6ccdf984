/** A brand marks the errors, because a process may hold two copies of a module. */
interface ErrorKind<Fields extends object> {
  create(
    message: string,
    fields: Fields & { readonly name?: string },
    cause?: unknown,
  ): Error & Fields;
  is(thrown: unknown): thrown is Error & Fields;
}

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

/** Codes of PostgreSQL, of the system, and our own. */
export const errorCodesOf = (thrown: unknown): string[] =>
  causesOf(thrown).flatMap((error) =>
    "code" in error && typeof error.code === "string" ? [error.code] : [],
  );

/**
 * Omits messages of failed queries, some of which quote parameters. The log would redact `code`.
 */
export function serializeError(thrown: unknown): Record<string, unknown> {
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

/** Drops the first lines, which repeat the message. */
function frames(stack: unknown): string[] | undefined {
  if (typeof stack !== "string") return undefined;
  const lines = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return lines.length > 0 ? lines.slice(0, 12).map((line) => line.trim()) : undefined;
}

const driverCodes = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "DATABASE_SILENT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "POOL_BUSY",
]);

/**
 * PostgreSQL (appendix A): 08 connection exception, 53 insufficient resources, 57P0x shutdown or
 * start, 57014 timeout, 25006 standby, 25P03 idle transaction; 40001 and 40P01: conflicts.
 */
const serverCode = /^(?:08...|53...|57P0[1-5]|57014|25006|25P03|40001|40P01)$/;

/** True if a retry may succeed. */
export const isConnectionLost = (thrown: unknown): boolean =>
  errorCodesOf(thrown).some((code) => driverCodes.has(code) || serverCode.test(code)) ||
  causesOf(thrown).some(isMissingSocket);

/** A missing file other than a socket is a fault. */
const isMissingSocket = (error: object): boolean =>
  "code" in error && error.code === "ENOENT" && "syscall" in error && error.syscall === "connect";
