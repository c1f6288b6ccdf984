import { postSecondStep } from "#lib/forms/post-second-step";

export const POST = (request: Request) => postSecondStep(request);
