import { asyncApiText, openApiText } from "#server/answer";
import { readSettings } from "#server/platform/env";

/** `npm run openapi`: prints the OpenAPI document, as `/api/openapi.json` answers it; `npm run openapi -- asyncapi` that of the events. */
const text = process.argv[2] === "asyncapi" ? asyncApiText : openApiText;
process.stdout.write(`${text(readSettings().baseUrl)}\n`);
