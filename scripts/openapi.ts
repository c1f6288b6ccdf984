import { asyncApiText, openApiText } from "#server/answer";
import { readSettings } from "#server/platform/env";

/**
 * `npm run openapi`: prints the OpenAPI document of `/api/openapi.json`; `npm run openapi --
 * asyncapi` prints the one of the events.
 */
const text = process.argv[2] === "asyncapi" ? asyncApiText : openApiText;
process.stdout.write(`${text(readSettings().baseUrl)}\n`);
