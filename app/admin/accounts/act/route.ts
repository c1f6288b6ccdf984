import { postAdminAccount } from "#lib/forms/post-admin-account";

export const POST = (request: Request) => postAdminAccount(request);
