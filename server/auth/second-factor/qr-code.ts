import { renderSVG } from "uqr";

/** The quiet zone that readers want around a QR code, in modules (ISO/IEC 18004 section 9.1). */
const quietZone = 4;

/** A text as a QR code: an SVG image in a data address, dark on white whatever the page's colours are. */
export function qrCode(text: string): string {
  const svg = renderSVG(text, { ecc: "M", border: quietZone, pixelSize: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
