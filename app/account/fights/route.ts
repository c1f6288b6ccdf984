import { postFightSharing } from "#lib/forms/post-fight-sharing";

export const POST = (request: Request) => postFightSharing(request);
