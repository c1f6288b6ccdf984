import { postStartChat } from "#lib/forms/post-start-chat";

export const POST = (request: Request) => postStartChat(request);
