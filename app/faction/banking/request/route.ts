import { postVaultRequest } from "#lib/forms/post-vault-request";

export const POST = (request: Request) => postVaultRequest(request);
