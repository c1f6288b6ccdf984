import { postConsentAct } from "#app/_lib/forms/post-consent-act";

export const POST = (request: Request) => postConsentAct(request, "pause");
