import { postDecision } from "#app/_lib/forms/post-decision";

export const POST = async (request: Request, { params }: { params: Promise<{ requestId: string }> }) =>
  postDecision(request, (await params).requestId);
