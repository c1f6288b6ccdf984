import { postConfirmation } from "#lib/forms/post-confirmation";

export const POST = (request: Request) => postConfirmation(request);
