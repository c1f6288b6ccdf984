import { postDeleteAccount } from "#lib/forms/post-delete-account";

export const POST = (request: Request) => postDeleteAccount(request);
