import { postRemoveKey } from "#app/_lib/forms/post-remove-key";

export const POST = (request: Request) => postRemoveKey(request);
