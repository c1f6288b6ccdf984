import { getChatCallback } from "#app/_lib/forms/get-chat-callback";

export const GET = (request: Request) => getChatCallback(request);
