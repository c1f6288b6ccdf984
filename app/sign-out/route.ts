import { postSignOut } from "#lib/forms/post-sign-out";

export const POST = (request: Request) => postSignOut(request);
