import { postVaultRequest } from "#app/_lib/forms/post-vault-request";

export const POST = (request: Request) => postVaultRequest(request);
