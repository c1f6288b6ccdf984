import { postFactionChat } from "#lib/forms/post-faction-chat";

export const POST = (request: Request) => postFactionChat(request);
