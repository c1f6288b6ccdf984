import type { Metadata } from "next";
import { NoSuchPage } from "#app/_parts/no-such-page.tsx";

export const metadata: Metadata = { title: "No such page" };

/** The layout already draws the frame. */
export default NoSuchPage;
