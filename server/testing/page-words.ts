import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

export const wordsOn = (part: ReactElement): string =>
  renderToStaticMarkup(part)
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "’")
    .replace(/\s+/g, " ");
