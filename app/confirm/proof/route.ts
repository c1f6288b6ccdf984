import { postConfirmation } from "#app/_lib/forms/post-confirmation";

export const POST = (request: Request) => postConfirmation(request);
