import { postStatSharing } from "#app/_lib/forms/post-stat-sharing";

export const POST = (request: Request) => postStatSharing(request);
