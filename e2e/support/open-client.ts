import type { Page } from "playwright/test";
import { openIndependentClient } from "./independent-client";
import { registerApplication } from "./register-application";
import { signIn } from "./sign-in";

/** Signs the developer in, registers an application and returns its client. */
export async function openClient(
  developer: Page,
  baseUrl: string,
  wishes: Parameters<typeof registerApplication>[1],
) {
  await signIn(developer, "developer");
  return openIndependentClient(baseUrl, await registerApplication(developer, wishes));
}
