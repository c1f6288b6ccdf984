import { postSecondStep } from "#app/_lib/forms/post-second-step";

export const POST = (request: Request) => postSecondStep(request);
