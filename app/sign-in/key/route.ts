import { postSignInKey } from "#app/_lib/forms/post-sign-in-key";

export const POST = (request: Request) => postSignInKey(request);
