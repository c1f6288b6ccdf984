import { postRevokeConsent } from "#app/_lib/forms/post-revoke-consent";

export const POST = (request: Request) => postRevokeConsent(request);
