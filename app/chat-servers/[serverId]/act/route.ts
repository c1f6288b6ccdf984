import { postChatServer } from "#app/_lib/forms/post-chat-server";

export const POST = async (request: Request, { params }: { params: Promise<{ serverId: string }> }) =>
  postChatServer(request, (await params).serverId);
