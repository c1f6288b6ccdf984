/** An answer that the browser saves as a file of this name, and keeps nowhere else. */
export const fileAnswer = (text: string, { name, type }: { name: string; type: string }): Response =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
