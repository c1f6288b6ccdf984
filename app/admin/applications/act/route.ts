import { postAdminApplication } from "#lib/forms/post-admin-application";

export const POST = (request: Request) => postAdminApplication(request);
