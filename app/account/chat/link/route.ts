import { postLinkChat } from "#app/_lib/forms/post-link-chat";

export const POST = (request: Request) => postLinkChat(request);
