import {
  type Failure,
  InvalidAuthenticationInformation,
  InvalidAuthenticationType,
  NoAuthenticationInformation,
} from "#server/failures";

/** How well a media range names `application/json`; the most specific range decides (RFC 9110 section 12.5.1). */
const specificity: Readonly<Record<string, number>> = { "application/json": 3, "application/*": 2, "*/*": 1 };

/** Whether an `Accept` header lets us answer in JSON. An absent or empty one accepts everything. */
export function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept === "*/*" || accept === "application/json" || accept.trim() === "") return true;
  let best = 0;
  let accepted = false;
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const rank = specificity[type] ?? 0;
    if (rank <= best) continue;
    best = rank;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    accepted = quality === undefined || Number(quality.slice(2)) > 0;
  }
  return accepted;
}

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
