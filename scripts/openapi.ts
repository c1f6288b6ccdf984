import { openApiText } from "#server/answer";
import { readSettings } from "#server/platform/env";

/** `npm run openapi`: prints the OpenAPI document, as `/api/openapi.json` answers it. */
process.stdout.write(`${openApiText(readSettings().baseUrl)}\n`);
