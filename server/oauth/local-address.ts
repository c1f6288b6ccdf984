import { longestUri, withParameters } from "./redirect-uri";

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/[A-Za-z0-9\-._~:/@!$&'()+,;=%]*)?$/;
const mostPorts = 65_535;

/** Whether a text is an address on the visitor's own machine that an answer may be handed on to: plain http, a path at most. */
export function isLocalAddress(text: string): boolean {
  const found = text.length <= longestUri ? loopback.exec(text) : null;
  return found !== null && Number(found[1] ?? 80) <= mostPorts && URL.canParse(text);
}

/** The address with an answer's parameters; null where it is none on this machine. */
export const handOnTo = (text: string, parameters: readonly (readonly [string, string])[]): string | null =>
  isLocalAddress(text) ? withParameters(text, parameters) : null;
