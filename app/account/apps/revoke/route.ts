import { postRevokeConsent } from "#lib/forms/post-revoke-consent";

export const POST = (request: Request) => postRevokeConsent(request);
