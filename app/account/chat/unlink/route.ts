import { postUnlinkChat } from "#lib/forms/post-unlink-chat";

export const POST = (request: Request) => postUnlinkChat(request);
