import { postFulfilment } from "#app/_lib/forms/post-fulfilment";

export const POST = async (request: Request, { params }: { params: Promise<{ guid: string }> }) =>
  postFulfilment(request, (await params).guid);
