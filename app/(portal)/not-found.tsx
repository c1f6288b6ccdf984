import type { Metadata } from "next";
import { NoSuchPage } from "#app/_parts/no-such-page.tsx";

export const metadata: Metadata = { title: "No such page" };

/** In the portal: its layout draws the frame. */
export default NoSuchPage;
