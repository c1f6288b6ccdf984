import { postEndSession } from "#app/_lib/forms/post-end-session";

export const POST = (request: Request) => postEndSession(request);
