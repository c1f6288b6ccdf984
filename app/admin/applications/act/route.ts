import { postAdminApplication } from "#app/_lib/forms/post-admin-application";

export const POST = (request: Request) => postAdminApplication(request);
