import type { Metadata } from "next";
import { NoSuchPage } from "#app/_parts/no-such-page.tsx";

export const metadata: Metadata = { title: "No such page" };

/** In the portal, whose layout has drawn the frame already. */
export default NoSuchPage;
