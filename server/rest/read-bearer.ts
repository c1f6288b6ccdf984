import {
  type Failure,
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  NoAuthenticationInformation,
} from "#server/failures";

/** RFC 6750 section 2.1, and nothing around it. The scheme is case-insensitive (RFC 9110 section 11.1). */
const credentials = /^bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** Reads the token of an Authorization header. Tokens in query, body or cookies are never looked at. */
export function readBearer(header: string | null): { readonly token: string } | { readonly failure: Failure } {
  if (header === null || header.trim() === "") return { failure: NoAuthenticationInformation.because() };
  const token = credentials.exec(header)?.[1];
  if (token) return { token };
  const [scheme, rest] = header.trim().split(" ", 2);
  if (scheme?.toLowerCase() !== "bearer") return { failure: InvalidAuthenticationType.because() };
  return { failure: (rest === undefined ? NoAuthenticationInformation : InvalidAuthenticationInformation).because() };
}
