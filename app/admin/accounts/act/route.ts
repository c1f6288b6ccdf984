import { postAdminAccount } from "#app/_lib/forms/post-admin-account";

export const POST = (request: Request) => postAdminAccount(request);
