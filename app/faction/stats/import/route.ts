import { postStatImport } from "#lib/forms/post-stat-import";

export const POST = (request: Request) => postStatImport(request);
