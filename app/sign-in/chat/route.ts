import { postStartChat } from "#app/_lib/forms/post-start-chat";

export const POST = (request: Request) => postStartChat(request);
