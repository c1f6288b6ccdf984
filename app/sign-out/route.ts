import { postSignOut } from "#app/_lib/forms/post-sign-out";

export const POST = (request: Request) => postSignOut(request);
