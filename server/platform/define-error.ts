/** One kind of error. It is told apart by its brand, because two copies of a module live in one process. */
export interface ErrorKind<Fields extends object> {
  /** An error, ready to be thrown. Its name is the kind's, where the fields bring none. */
  create(message: string, fields: Fields & { readonly name?: string }, cause?: unknown): Error & Fields;
  is(thrown: unknown): thrown is Error & Fields;
}

/**
 * Defines a kind of error. There are four for what a caller is told (`ApiFailure`, `OAuthError`, `UpstreamError`,
 * `PortalRefusal`), `StartFault` for an operator, `DatabaseUnavailable` and `NoAnswerInTime`.
 * @param name its brand; `server/architecture.test.ts` lets no two kinds have the same
 */
export function defineError<Fields extends object>(name: string): ErrorKind<Fields> {
  const brand = Symbol.for(`adjutant.${name}`);
  return {
    create: (message, fields, cause) =>
      Object.assign(new Error(message, cause === undefined ? {} : { cause }), { name, [brand]: true, ...fields }),
    is: (thrown): thrown is Error & Fields => typeof thrown === "object" && thrown !== null && brand in thrown,
  };
}
