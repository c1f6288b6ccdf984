/** The parameter's value; an empty one counts as absent (RFC 6749 section 3.1). */
export const given = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined;

export const isRepeated = (parameters: URLSearchParams, name: string): boolean => parameters.getAll(name).length > 1;

/** U+0000 cannot be stored, and U+FFFD means that the bytes sent were no text: neither can be given back as it was sent. */
const unrepeatable = ["\0", "\uFFFD"];

/** The `state` that an answer carries; null where there is none, or none that could be given back as sent. */
export function stateToReturn(parameters: URLSearchParams): string | null {
  const state = given(parameters, "state");
  if (
    state === undefined ||
    isRepeated(parameters, "state") ||
    unrepeatable.some((character) => state.includes(character))
  )
    return null;
  return state;
}
