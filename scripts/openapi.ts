import { asyncApiText, openApiText } from "#server/answer";
import { readSettings } from "#server/platform/env";

/** `npm run openapi`, or `npm run openapi -- asyncapi`. */
const text = process.argv[2] === "asyncapi" ? asyncApiText : openApiText;
process.stdout.write(`${text(readSettings().baseUrl)}\n`);
