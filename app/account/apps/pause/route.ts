import { postConsentAct } from "#lib/forms/post-consent-act";

export const POST = (request: Request) => postConsentAct(request, "pause");
