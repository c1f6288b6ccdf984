/** The parameter's value; an empty one counts as absent (RFC 6749 section 3.1). */
export const given = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined;

export const isRepeated = (parameters: URLSearchParams, name: string): boolean => parameters.getAll(name).length > 1;

/** U+0000 cannot be stored, and U+FFFD means that the bytes sent were no text: neither can be given back as it was sent. */
const unrepeatable = ["\0", "\uFFFD"];
/** PGlite drops it from the head of every text that it reads. No state that RFC 6749 (appendix A.5) knows has it. */
const byteOrderMark = "\uFEFF";

const isRepeatable = (state: string): boolean =>
  !state.startsWith(byteOrderMark) && !unrepeatable.some((character) => state.includes(character));

/** The `state` that an answer carries; null where there is none, or none that could be given back as sent. */
export function stateToReturn(parameters: URLSearchParams): string | null {
  const state = given(parameters, "state");
  return state === undefined || isRepeated(parameters, "state") || !isRepeatable(state) ? null : state;
}
