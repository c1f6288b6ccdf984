import { postKeyLending } from "#app/_lib/forms/post-key-lending";

export const POST = (request: Request) => postKeyLending(request);
