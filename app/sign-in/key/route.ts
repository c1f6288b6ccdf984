import { postSignInKey } from "#lib/forms/post-sign-in-key";

export const POST = (request: Request) => postSignInKey(request);
