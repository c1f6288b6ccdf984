import { postFightSharing } from "#app/_lib/forms/post-fight-sharing";

export const POST = (request: Request) => postFightSharing(request);
