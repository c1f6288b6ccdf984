import { postFactionChat } from "#app/_lib/forms/post-faction-chat";

export const POST = (request: Request) => postFactionChat(request);
