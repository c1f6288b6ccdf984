import { postStatImport } from "#app/_lib/forms/post-stat-import";

export const POST = (request: Request) => postStatImport(request);
