import { postStatSharing } from "#lib/forms/post-stat-sharing";

export const POST = (request: Request) => postStatSharing(request);
