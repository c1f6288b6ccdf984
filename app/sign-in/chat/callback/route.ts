import { getChatCallback } from "#lib/forms/get-chat-callback";

export const GET = (request: Request) => getChatCallback(request);
