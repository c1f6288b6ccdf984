import { postEndSession } from "#lib/forms/post-end-session";

export const POST = (request: Request) => postEndSession(request);
