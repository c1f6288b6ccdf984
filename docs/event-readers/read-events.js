// Reads events in browsers and Node 20: await readEvents({ url, token: () => accessToken, hear: console.log, keep: store })
// `token` is asked before each connection. `keep` is given positions: store the last, and pass it as `position` the next time.
export async function readEvents({ url, token, hear, keep, position, query = "", signal }) {
  for (
    let retry = 5_000;
    !signal?.aborted;
    await new Promise((resolve) => setTimeout(resolve, retry))
  ) {
    try {
      const headers = { Accept: "text/event-stream", Authorization: `Bearer ${await token()}` };
      if (position) headers["Last-Event-ID"] = position;
      const answer = await fetch(`${url}/api/v1/events${query}`, { headers, signal });
      if ([400, 401, 403].includes(answer.status)) return await answer.json();
      if (!answer.ok) continue;
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        text += read.value;
        for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n")) {
          const lines = text.slice(0, at).split("\n");
          text = text.slice(at + 2);
          const frame = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
          retry = Number(frame.retry ?? retry);
          const data = frame.data && JSON.parse(frame.data);
          // You may be told the same event again after a break: remember the ids of a week.
          if (data && frame.event !== "end") await hear(data, frame.event);
          // Only now: what `hear` did not finish is told again.
          position = frame.id ?? position;
          await keep?.(position);
          if (frame.event === "end" && ["revoked", "paused", "suspended"].includes(data.reason))
            return data;
        }
      }
    } catch {
      // The connection broke off, or `hear` failed: it goes on from the last position.
    }
  }
  return undefined;
}
