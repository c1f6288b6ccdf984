import { postDeleteAccount } from "#app/_lib/forms/post-delete-account";

export const POST = (request: Request) => postDeleteAccount(request);
