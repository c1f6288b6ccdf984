import { postExport } from "#lib/forms/post-export";

export const POST = (request: Request) => postExport(request);
