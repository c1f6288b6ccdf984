import { postRemoveKey } from "#lib/forms/post-remove-key";

export const POST = (request: Request) => postRemoveKey(request);
