import { config } from "zod/v4/core";

/**
 * For the browser, before the first schema is made: keeps zod from trying whether it may compile its checks with
 * `new Function`, which the Content Security Policy refuses and reports.
 */
export function disableZodJit(): void {
  config({ jitless: true });
}
