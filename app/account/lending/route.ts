import { postKeyLending } from "#lib/forms/post-key-lending";

export const POST = (request: Request) => postKeyLending(request);
