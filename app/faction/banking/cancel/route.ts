import { postCancelVaultRequest } from "#app/_lib/forms/post-cancel-vault-request";

export const POST = (request: Request) => postCancelVaultRequest(request);
