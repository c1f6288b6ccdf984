import { postExport } from "#app/_lib/forms/post-export";

export const POST = (request: Request) => postExport(request);
