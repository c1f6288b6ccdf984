import { postNoticesRead } from "#lib/forms/post-notices-read";

export const POST = (request: Request) => postNoticesRead(request);
