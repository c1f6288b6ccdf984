import { postLinkChat } from "#lib/forms/post-link-chat";

export const POST = (request: Request) => postLinkChat(request);
