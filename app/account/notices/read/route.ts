import { postNoticesRead } from "#app/_lib/forms/post-notices-read";

export const POST = (request: Request) => postNoticesRead(request);
