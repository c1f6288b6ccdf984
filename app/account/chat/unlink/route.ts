import { postUnlinkChat } from "#app/_lib/forms/post-unlink-chat";

export const POST = (request: Request) => postUnlinkChat(request);
